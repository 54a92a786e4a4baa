# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "open3"
require "rbconfig"

# What the native backend defines. Without some of it Ruby serves, and only time would tell.
class InitTest < TestCase
  ROWS = %i[size value [] each column clear].freeze
  DRIVERS = {SqliteRows: %i[know known? read handle callbacks?], Mysql2Rows: %i[kinds read],
             PostgresqlRows: %i[look_in]}.freeze

  def setup
    skip "the ruby backend has others" unless native?
  end

  # Objects that the native backend makes to look at them would be warned of.
  def test_warnings_of_the_application_stay
    skip "before Ruby 3.3 there is no such category" if RUBY_VERSION < "3.3"

    [true, false].each do |wanted|
      code = "Warning[:performance] = #{wanted}; require 'katsu'; Katsu.generate(1); print Warning[:performance]"
      output, errors, = Open3.capture3(RbConfig.ruby, *$LOAD_PATH.flat_map { |path| ["-I", path] }, "-e", code)
      assert_equal [wanted.to_s, ""], [output, errors]
    end
  end

  def test_tables_and_drivers
    %i[generate_table write_table build_table].each { |name| assert Katsu::Plan.method_defined?(name), name }
    DRIVERS.each do |driver, names|
      rows = Katsu::Native.const_get(driver)
      ROWS.each { |name| assert rows.method_defined?(name), [driver, name].inspect }
      names.each { |name| assert_respond_to rows, name }
    end
    assert_respond_to Katsu::Native, :key_list
  end

  def test_a_library_that_is_not_pgs
    assert_equal "pgresult_get", Katsu::Native::PostgresqlRows.look_in(__FILE__)
  end

  def test_rows_that_were_never_read
    %i[SqliteRows PostgresqlRows].each do |driver|
      rows = Katsu::Native.const_get(driver).allocate
      assert_equal [], rows.columns
      assert_nil rows.clear
    end
  end

  # An argument of a wrong class raises before anything is read from it.
  def test_arguments_of_other_classes
    native = Katsu::Native
    {record_keys: [[], Post, "", "", %w[id updated_at], {}], changed_records: [[], Post, {}],
     cached_pairs: [[], []]}.each do |name, arguments|
      assert_empty native.public_send(name, *arguments), name
      arguments.each_index.reject { |index| arguments[index] == Post }.each do |index|
        given = arguments.dup.tap { |list| list[index] = Object.new }
        assert_raises(TypeError, [name, index].inspect) { native.public_send(name, *given) }
      end
    end
  end

  # Their memory belongs to one object.
  def test_objects_that_are_not_copied
    plan = Class.new(Katsu::Serializer) { attributes :id }.plan
    rows = DRIVERS.keys.map { |driver| Katsu::Native.const_get(driver).allocate }
    [plan, Katsu::Writer.new, Katsu::ObjectWriter.new, Katsu::Generator::Options.new(nil), *rows].each do |object|
      assert_raises(NoMethodError, TypeError, object.class.name) { object.dup }
      assert_raises(NoMethodError, TypeError, object.class.name) { object.clone }
    end
  end
end
