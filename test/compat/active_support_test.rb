# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "bigdecimal"
require "active_support/core_ext"
require "pathname"
require "set"
require "uri"

# katsu/compat/active_support: the same output as ActiveSupport's own encoder.
class CompatActiveSupportTest < TestCase
  OWN = ActiveSupport.json_encoder
  require "katsu/compat/active_support"
  ActiveSupport.json_encoder = OWN

  class WithOptions
    def as_json(options = nil) = {options: options, at: Time.utc(2026, 1, 2)}
  end

  class Chain
    def as_json(*) = [WithOptions.new, :sym]
  end

  class OwnHash < Hash
    def as_json(*) = {own: true}
  end

  class OwnString < String
    def as_json(*) = "own"
  end

  class ManyTimes
    def initialize(left) = @left = left
    def as_json(*) = @left.zero? ? "done" : ManyTimes.new(@left - 1)
  end

  VALUES = [
    OwnHash[a: 1], [OwnHash[a: 1]], [OwnString.new("x")], {"1" => 1, 1 => 2}, {1 => 1, "1" => 2},
    {nil => 1, "" => 2, a: 1}, {"a" => 1, a: 2}, {}.compare_by_identity.update("a".dup => 1, "a".dup => 2),
    {"é".encode("ISO-8859-1") => 1}, ["\xFF"], ManyTimes.new(5), ManyTimes.new(6), [].tap { |list| list << list },
    nil, true, 1, 1.5, Float::NAN, Float::INFINITY, 2**70, "text <b>&</b> \u2028\u2029 ü", :symbol,
    Date.new(2026, 1, 2), Time.utc(2026, 1, 2, 3, 4, 5.678r),
    DateTime.new(2026, 1, 2), BigDecimal("1.50"), 3/4r, Complex(1, 2), 1..3, Set[1, 2], /re/,
    URI("http://localhost/?a=1&b=2"), Struct.new(:a).new(1), Object, StandardError.new("boom"),
    [1, [nil, {a: Date.new(2026, 1, 1)}]],
    {"a" => 1, b: [{c: Time.utc(2026)}], nil => 1, 2 => :x, Date.new(2026, 1, 2) => 1}, WithOptions.new, [Chain.new],
    "sub".html_safe,
    ActiveSupport::Duration.build(5), ActiveSupport::TimeZone["Berlin"].at(0),
    ActiveSupport::HashWithIndifferentAccess.new(a: {b: 1}), Pathname("a/b"), $stdin.class, "x".encode("UTF-16LE"),
    150.times.inject(1) { |inner, _| [inner] }
  ].freeze

  def with(encoder)
    ActiveSupport.json_encoder = encoder
    yield
  ensure
    ActiveSupport.json_encoder = OWN
  end

  # The document or the kind of error.
  def encoded(value, options)
    options ? ActiveSupport::JSON.encode(value, options) : [ActiveSupport::JSON.encode(value), value.to_json]
  rescue StandardError, SystemStackError => e
    e.class
  end

  def assert_same(options = nil)
    VALUES.each do |value|
      expected = with(OWN) { encoded(value, options) }
      actual = with(Katsu::Compat::Encoder) { watched { encoded(value, options) } }
      expected.nil? ? assert_nil(actual) : assert_equal(expected, actual, value.inspect)
    end
  end

  def test_values
    assert_same
  end

  def test_options_reach_as_json
    assert_same({only: [:at]})
    assert_same({escape: false})
    assert_same({escape_html_entities: false})
  end

  def test_settings
    settings = {escape_html_entities_in_json: false, time_precision: 0, use_standard_json_time_format: false}
    settings[:escape_js_separators_in_json] = false if ActiveSupport.respond_to?(:escape_js_separators_in_json)
    settings.each do |name, value|
      before = ActiveSupport.public_send(name)
      ActiveSupport.public_send(:"#{name}=", value)
      assert_same
      ActiveSupport.public_send(:"#{name}=", before)
    end
  end

  def test_records
    author = Author.create!(name: "<Åsa>")
    assert_equal with(OWN) { author.to_json(only: [:name]) },
                 with(Katsu::Compat::Encoder) { author.to_json(only: [:name]) }
    assert_equal with(OWN) { [author].to_json }, with(Katsu::Compat::Encoder) { [author].to_json }
    author.destroy
  end
end
