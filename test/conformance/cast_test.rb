# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The list of casts, which both backends have in the same order.
class CastTest < TestCase
  CASTS = Katsu::Cast::NAMES.to_h { |name| [name, {mutable: Katsu::Cast.mutable?(name)}] }

  def test_the_backends_have_the_same_casts
    assert_equal CASTS.to_a, Katsu::Native.casts.to_a if native?
    assert_nil Katsu::Cast.check(CASTS)
  end

  def test_a_cast_that_the_native_backend_lacks
    assert_load_error("casts: ext/katsu/casts/casts.def lacks date, decimal", CASTS.except(:date, :decimal))
  end

  def test_a_cast_that_the_ruby_files_lack
    assert_load_error("casts: lib/katsu/cast.rb lacks inet", CASTS.merge(inet: {mutable: false}))
  end

  def test_casts_in_another_order
    assert_load_error("casts: lib/katsu/cast.rb has another order than ext/katsu/casts/casts.def",
                      CASTS.to_a.reverse.to_h)
  end

  def test_a_cast_that_is_mutable_on_one_side_only
    message = "casts: %s is mutable on one backend and not on the other"
    assert_load_error(format(message, "integer"), CASTS.merge(integer: {mutable: true}))
    assert_load_error(format(message, "string"), CASTS.merge(string: {mutable: false}))
  end

  # Ractors generate code of their own.
  def test_the_code_of_each_cast_can_be_shared
    assert_equal [[true, true]], Katsu::Cast.casts.map { |cast|
      [cast::RUBY, cast::RAW].map { |code| Ractor.shareable?(code) }
    }.uniq
  end

  # Those of adapters by their names, as these are not loaded.
  def test_the_cast_of_each_type
    own = {string: %i[string immutable_string text], integer: %i[integer big_integer], float: %i[float],
           boolean: %i[boolean], datetime: %i[datetime], date: %i[date], json: %i[json], decimal: %i[decimal],
           binary: %i[binary], generic: %i[time]}
    own.each { |cast, names| names.each { |name| assert_cast cast, ActiveRecord::Type.lookup(name, adapter: nil) } }
    [ActiveRecord::Type::UnsignedInteger, ActiveRecord::Type::DecimalWithoutScale].each do |type|
      assert_cast :integer, type.new
    end
    {string: %w[Enum SpecializedString Uuid Xml], integer: %w[Oid], datetime: %w[Timestamp TimestampWithTimeZone],
     date: %w[Date], json: %w[Jsonb], decimal: %w[Decimal], money: %w[Money], interval: %w[Interval],
     generic: %w[Inet]}.each do |cast, names|
      names.each { |name| assert_cast cast, of_adapter("PostgreSQL::OID::#{name}", ActiveRecord::Type::DateTime) }
    end
    assert_cast :integer, of_adapter("SQLite3Adapter::SQLite3Integer", ActiveModel::Type::Value)
    assert_cast :generic, of_adapter("SQLite3Adapter::SQLite3Real", ActiveModel::Type::Value)
  end

  def test_types_whose_texts_are_not_what_they_give
    assert_cast :generic, ActiveRecord::Type::DateTime.new(precision: 2)
    assert_cast :datetime, ActiveRecord::Type::DateTime.new(precision: 3)
    assert_cast :generic, ActiveRecord::Type::DateTime.new(timezone: :local)
    converter = ActiveRecord::AttributeMethods::TimeZoneConversion::TimeZoneConverter
    assert_cast :zoned_datetime, converter.new(ActiveRecord::Type::DateTime.new)
    assert_cast :generic, converter.new(ActiveRecord::Type::Time.new)
    assert_cast :generic, ActiveModel::Type::Decimal.new(scale: 0)
    assert_cast :decimal, ActiveModel::Type::Decimal.new(scale: 1)
  end

  def of_adapter(name, parent)
    Class.new(parent) { define_singleton_method(:name) { "ActiveRecord::ConnectionAdapters::#{name}" } }.new
  end

  def assert_cast(name, type)
    assert_equal name, Katsu::Cast.name_of(Katsu::Cast.number(type)), type.class.name
  end

  def test_each_cast_has_a_file_of_its_own
    folder = File.expand_path("../../lib/katsu/cast", __dir__)
    assert_equal (CASTS.keys - [:generic]).sort, Dir.children(folder).map { |file|
      file.delete_suffix(".rb").to_sym
    }.sort
  end

  def assert_load_error(message, casts)
    assert_equal message, assert_raises(LoadError) { Katsu::Cast.check(casts) }.message
  end
end
