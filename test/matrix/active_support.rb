# frozen_string_literal: true

# active_support.rb JSON ACTIVE_SUPPORT REFERENCE: one pair of versions of bin/matrix. With katsu/compat/active_support,
# documents are encoded and decoded as ActiveSupport's own code of that version does it with this json; if that does not
# work, as it does with another json: REFERENCE is a file of its answers, which this program writes with KATSU_REFERENCE
# in the environment.
json, active_support, reference = ARGV
gem "json", "~> #{json}.0"
gem "activesupport", "~> #{active_support}.0"

require "json"
require "active_support"
require "active_support/json"
require "active_support/core_ext"
require "bigdecimal"
require "set"
require "uri"

OWN = ActiveSupport.json_encoder

class Asked
  def as_json(options = nil) = {options: options, at: Time.utc(2026, 1, 2, 3, 4, 5.678r),
                                self: [Date.new(2026, 1, 2), :symbol]}
end

class OwnHash < Hash
  def as_json(*) = {own: true}
end

class OwnString < String
  def as_json(*) = "own"
end

# What every version of json writes in one way.
VALUES = [
  nil, true, 1, -1.5, 2**70, Float::NAN, Float::INFINITY, 0.1, "text <b>&</b> \u2028\u2029 ü \"\\ \n/", :symbol,
  "sub".html_safe, OwnString.new("x"), OwnHash[a: 1],
  [OwnHash[a: 1], [nil, {a: Date.new(2026, 1, 1)}]],
  {"a" => 1, b: [{c: Time.utc(2026)}], nil => 1, 2 => :x, Date.new(2026, 1, 2) => 1, 1.5 => 2},
  {"1" => 1, 1 => 2}, {1 => 1, "1" => 2}, Date.new(2026, 1, 2), DateTime.new(2026, 1, 2),
  Time.utc(2026, 1, 2, 3, 4, 5.678r), BigDecimal("1.50"), 3/4r, Complex(1, 2), 1..3,
  Set[1, 2], /re/, URI("http://localhost/?a=1&b=2"), Struct.new(:a).new(1), StandardError.new("boom"), Object,
  Asked.new, [Asked.new],
  ActiveSupport::Duration.build(5), ActiveSupport::TimeZone["Berlin"].at(0),
  ActiveSupport::HashWithIndifferentAccess.new(a: {b: 1}), Pathname("a/b"),
  90.times.inject(1) { |inner, _| [inner] }, {}, [], ""
].freeze
# What versions of json differ in: compared if the own encoder works.
ODD = [
  {"a" => 1, a: 2}, {nil => 1, "" => 2}, ["\xFF"], {"é".encode("ISO-8859-1") => 1}, "x".encode("UTF-16LE"),
  150.times.inject(1) { |inner, _| [inner] },
  [].tap { |list| list << list }, (JSON::Fragment.new("[1]") if defined?(JSON::Fragment)), [BasicObject]
].freeze
OPTIONS = [nil, {only: [:at]}, {escape_html_entities: false}, {escape: false}].freeze
TEXTS = ['{"a":[1,2.5,null,"ü"]}', "1", '"x"', "null", '"2026-01-02"', "{", ""].freeze

# The document or the kind of error.
def answer
  yield
rescue StandardError, SystemStackError => e
  "#{e.class}"
end

def with(encoder)
  ActiveSupport.json_encoder = encoder
  yield
ensure
  ActiveSupport.json_encoder = OWN
end

def encoded(encoder, values)
  with(encoder) do
    values.flat_map do |value|
      OPTIONS.map do |options|
        answer do
          options ? ActiveSupport::JSON.encode(value, options) : ActiveSupport::JSON.encode(value)
        end
      end + [answer do
              value.to_json
            end]
    end
  end
end

def decoded
  [false, true].flat_map do |times|
    ActiveSupport.parse_json_times = times
    TEXTS.map { |text| answer { ActiveSupport::JSON.decode(text).inspect.delete(" ") } }
  end
end

def differences(name, expected, actual)
  expected.zip(actual).each_with_index.filter_map do |(one, other), index|
    "#{name} #{index}: ActiveSupport #{one.inspect[0, 200]}, Katsu #{other.inspect[0, 200]}" if one != other
  end
end

Time.zone = "UTC"
if ENV["KATSU_REFERENCE"]
  File.binwrite(reference, Marshal.dump([encoded(OWN, VALUES), decoded]))
  exit
end

works = answer { ActiveSupport::JSON.encode([1]) } == "[1]"
reading = answer { ActiveSupport::JSON.decode("[1]") } == [1]
before = Marshal.load(File.binread(reference))
values = works ? VALUES + ODD : VALUES
expected = works ? encoded(OWN, values) : before[0]
expected_decoded = reading ? decoded : before[1]
require "katsu/compat/active_support"
encoder = Katsu::Compat::Encoder
found = differences("value", expected, encoded(encoder, values)) + differences("decoded", expected_decoded, decoded)
compared = expected.size + expected_decoded.size
puts "json #{JSON::VERSION}, ActiveSupport #{ActiveSupport.version}, #{Katsu.backend}: #{compared} answers, " \
     "#{found.size} differ" \
     "#{"; its own encoder #{"and decoder do" if !reading}#{"does" if reading} not work" unless works}"
found.first(Integer(ENV.fetch("KATSU_SHOWN", "5"))).each { |difference| puts "  #{difference}" }
exit found.empty?
