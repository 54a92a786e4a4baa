# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "open3"
require "rbconfig"

# type: and format: of attributes.
class ConversionTest < TestCase
  def declared(&body)
    Class.new(Katsu::Serializer) do
      def self.to_s = "S"
      class_eval(&body)
    end
  end

  # The JSON of object, which is the same as a Hash, in a collection and, for a record, from its row.
  def write(serializer, object, **options)
    text = watched { serializer.new(options).serialize_to_json(object) }
    assert_equal JSON.parse(text), watched { serializer.new(options).serialize(object) }
    assert_equal "[#{text}]", watched { serializer.many([object], options).to_json }
    if object.is_a?(Post)
      relation = Post.where(id: object.id)
      assert_equal "[#{text}]", watched { serializer.many(relation, options).to_json }
      assert_equal [JSON.parse(text)], serializer.many(relation, options).to_a
    end
    text
  end

  Point = Struct.new(:id, :title, :price, :views, :day, :created_at, keyword_init: true)

  VALUES = {title: "12", price: BigDecimal("1234.5"), views: 1_234_567, day: Date.new(2026, 1, 2),
            created_at: Time.utc(2026, 1, 2, 3, 4, 5)}.freeze

  # The same values as a record, a Hash and an object.
  def each_kind(**values)
    values = VALUES.merge(values)
    yield Post.create!(values)
    yield({id: 1, **values})
    yield Point.new(id: 1, **values)
  end

  def test_formats_of_times_and_dates
    serializer = declared do
      attribute :created_at, format: "%d.%m.%Y %H:%M"
      attribute :day, format: :iso8601
      attribute(:short, format: :db) { |object| object[:created_at] }
      attribute(:seconds, format: :unix) { |object| object[:created_at] }
      attribute(:midnight, format: :unix) { |object| object[:day] }
    end
    each_kind do |object|
      assert_equal '{"created_at":"02.01.2026 03:04","day":"2026-01-02","short":"2026-01-02 03:04:05",' \
                   '"seconds":1767323045,"midnight":1767312000}', write(serializer, object)
    end
    each_kind(day: nil) do |object|
      assert_equal '{"day":null,"midnight":null}', write(serializer, object, only: %i[day midnight])
    end
  end

  # In each zone of the machine.
  def test_seconds_of_dates_and_times
    serializer = declared { attributes :at, format: :unix }
    before = ENV.fetch("TZ", nil)
    %w[UTC Asia/Kathmandu America/New_York].each do |zone|
      ENV["TZ"] = zone
      {Date.new(2026, 1, 2) => 1_767_312_000, DateTime.new(2026, 1, 2, 3, 4, 5, "+1") => 1_767_319_445,
       Time.new(2026, 1, 2, 3, 4, 5, "+01:00") => 1_767_319_445, Date.new(1960, 1, 1) => -315_619_200}
        .each { |at, seconds| assert_equal %({"at":#{seconds}}), write(serializer, {at: at}), [zone, at].inspect }
    end
  ensure
    ENV["TZ"] = before
  end

  def test_formats_of_numbers
    serializer = declared do
      attribute :price, format: "%.2f"
      attribute :views, format: :delimited
      attribute(:cents, format: ->(price) { scope ? (price * 100).to_i : price.to_s }) { |object| object[:price] }
    end
    each_kind do |object|
      assert_equal '{"price":"1234.50","views":"1,234,567","cents":123450}', write(serializer, object, scope: 1)
    end
  end

  # It knows its formats itself.
  def test_formats_of_an_object_of_another_class
    money = Class.new { def to_fs(format) = "#{format} of its own" }.new
    serializer = declared { attribute(:price, format: :currency) { money } }
    assert_equal '{"price":"currency of its own"}', write(serializer, {})
  end

  def test_types
    upcase = Class.new { def cast(value) = value.upcase }.new
    serializer = declared do
      attribute :title, type: :integer
      attribute :views, type: :string
      attribute :price, type: :decimal, format: "%.1f"
      attribute(:at, type: :datetime, format: "%Y") { "2026-05-06" }
      attribute(:name, type: upcase) { "ada" }
      attribute(:broken, type: :date, default: "none") { "no date" }
      attribute(:gone, type: :date, omit_nil: true) { "no date" }
    end
    each_kind do |object|
      assert_equal '{"title":12,"views":"1234567","price":"1234.5","at":"2026","name":"ADA","broken":"none"}',
                   write(serializer, object)
    end
  end

  def test_nil_defaults_and_skip
    serializer = declared do
      attribute :price, format: "%.2f", default: "free"
      attribute :day, format: "%Y", omit_nil: true
      attribute(:left_out, format: "%Y") { Katsu::Serializer::SKIP }
    end
    each_kind(price: nil, day: nil) { |object| assert_equal '{"price":"free"}', write(serializer, object) }
    each_kind { |object| assert_equal '{"price":"1234.50","day":"2026"}', write(serializer, object) }
  end

  def test_a_column_needs_no_record
    serializer = declared { attribute :day, format: "%Y", type: :date }
    assert_equal :rows, serializer.many(Post.all).explain.to_h[:way]
    assert_equal [:day], serializer.columns
    with_code = declared { attribute :day, format: ->(day) { day.year } }
    assert_equal :records, with_code.many(Post.all).explain.to_h[:way]
    needed = declared { attribute :day, format: ->(day) { day.year }, needs: [:day] }
    assert_equal :rows, needed.many(Post.all).explain.to_h[:way]
    post = Post.create!(VALUES)
    assert_equal '{"day":2026}', write(needed, post)
  end

  class TitledPost < Post
    alias_attribute :headline, :title
    def loud = title.upcase
    def body = super.to_s.upcase
  end

  # needs: is what the code reads besides.
  def test_the_column_of_a_field_with_needs
    serializer = declared do
      attribute :title, if: ->(post) { post.id }, needs: :id, format: ->(title) { "<#{title}#{object.title}>" }
      attribute :day, needs: [], default: -> { "none" }
      attribute :price, needs: [:views], default: ->(post) { "#{post.views} #{post.price.inspect}" }
      attribute :data, needs: [], format: ->(data) { data["a"] }, on_error: :null
    end
    [{}, {day: nil, price: nil}].each do |values|
      post = Post.create!(**VALUES, data: {a: [1]}, **values)
      assert_equal "<1212>", JSON.parse(write(serializer, post))["title"]
    end
    post = Post.last
    assert_equal '{"title":"<1212>","day":"none","price":"1234567 nil","data":[1]}', write(serializer, post)
    assert_equal [:rows, []], serializer.many(Post.all).explain.to_h.values_at(:way, :reasons)
    assert_equal %i[data day id price title views], serializer.columns.sort
    assert_equal %i[data day id price title views], serializer.columns(Post).sort
  end

  # What the object has under the name need not be a column.
  def test_what_is_no_column_of_a_field_with_needs
    relation = TitledPost.where(id: Post.create!(title: "a", body: "b").id)
    [[:headline, "(a)", :rows], [:loud, "(A)", :records], [:body, "(B)", :records]].each do |name, value, way|
      serializer = declared { attribute name, needs: [:title], format: ->(text) { "(#{text})" } }
      assert_equal [{name.name => value}], watched { serializer.many(relation).to_a }
      assert_equal way, serializer.many(relation).explain.to_h[:way]
    end
  end

  def test_values_that_a_format_does_not_know
    serializer = declared { attribute :title, format: "%Y" }
    error = assert_raises(Katsu::Error) { serializer.new.serialize_to_json({title: "a"}) }
    assert_equal "format: \"%Y\" is for times, dates and numbers, and was given a String; " \
                 "type: makes one of text, such as type: :datetime", error.message
    assert_equal "title", error.field_path
    null = declared { attribute :title, format: :iso8601, on_error: :null }
    listener = ->(*) {}
    ActiveSupport::Notifications.subscribed(listener, "field_error.katsu") do
      assert_equal '{"title":null}', null.new.serialize_to_json({title: "a"})
    end
  end

  # Formats that only a time, or only a date, has.
  def test_formats_of_one_class
    Date::DATE_FORMATS[:of_days] = "%j"
    serializer = declared do
      attribute :created_at, format: :usec
      attribute :day, format: :of_days
    end
    each_kind do |object|
      assert_equal '{"created_at":"20260102030405000000","day":"002"}', write(serializer, object)
    end
  ensure
    Date::DATE_FORMATS.delete(:of_days)
  end

  def test_formats_that_are_for_other_values
    {views: :long, created_at: :currency, day: :usec}.each do |name, format|
      serializer = declared { attribute name, format: format }
      each_kind do |object|
        error = assert_raises(Katsu::Error) { serializer.new.serialize_to_json(object) }
        assert_match(/\Aformat: :#{format} is none that a [\w:]+ knows\z/, error.message)
      end
    end
  end

  def test_declarations_without_a_meaning
    {{type: :intger} => /type: :intger; accepted are :big_integer, .*Did you mean integer\?/,
     {type: "integer"} => /type: "integer"; .* an object with cast\.\z/, {type: String} => /type: String; accepted/,
     {format: :iso8610} => /format: :iso8610; accepted are :iso8601, .*Did you mean iso8601\?/,
     {format: ""} => /a String for strftime/, {format: 1} => /format: 1; accepted/,
     {format: ->(_a, _b) {}} => /takes \(_a, _b\); it is given the value, or nothing/}.each do |options, message|
      error = assert_raises(ArgumentError, options.inspect) { declared { attribute :a, **options } }
      assert_match message, error.message
    end
    error = assert_raises(ArgumentError) { declared { attribute(:a, format: "%Y") && attribute(:a, format: "%m") } }
    assert_match(/declared twice/, error.message)
    declared { 2.times { attribute :a, format: "%Y", type: :date } }
  end

  def test_without_rails
    script = <<~RUBY
      require "katsu"
      class S < Katsu::Serializer
        attributes :at, :there, format: :iso8601
        attribute :on, format: "%d.%m."
        attribute :price, format: "%.2f"
      end
      there = Time.new(2026, 1, 2, 3, 4, 5, "+05:30")
      puts S.new.serialize_to_json({at: Time.utc(2026, 1, 2), there: there, on: there, price: 1})
    RUBY
    output, status = Open3.capture2e(RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script)
    assert_predicate status, :success?, output
    assert_equal '{"at":"2026-01-02T00:00:00Z","there":"2026-01-02T03:04:05+05:30","on":"02.01.","price":"1.00"}',
                 output.lines.last.chomp
  end

  # It may keep what it makes.
  class Keeping < ActiveModel::Type::Value
    def cast(value) = (@kept ||= {})[value] ||= value.to_s.downcase
  end

  def test_registered_types
    ActiveModel::Type.register(:katsu_keeping, Keeping)
    serializer = Class.new(Katsu::Serializer) { attribute :a, type: :katsu_keeping }
    2.times { assert_equal '{"a":"ab"}', serializer.new.serialize_to_json({a: "Ab"}) }
  end
end
