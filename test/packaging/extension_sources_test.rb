# frozen_string_literal: true

require "support/test_case"

# The C files' folders are floors: a file includes those of its own floor and of the floors below it. One name means one
# thing.
class ExtensionSourcesTest < TestCase
  FOLDER = File.expand_path("../../ext/katsu", __dir__)
  FLOORS = %w[bytes values records casts plans queries bindings].freeze
  SOURCES = Dir.glob("*/*.{c,h}", base: FOLDER).to_h { |path| [path, File.read("#{FOLDER}/#{path}")] }.freeze
  FUNCTION = /^(?:static |KATSU_INLINE |KATSU_COLD |inline )+[\w *]*?\b(\w+)\(/
  TYPE = /^\} (\w+);/

  # The files of the databases' drivers count as one: they have the same functions.
  def names(pattern)
    SOURCES.flat_map do |path, text|
      text.scan(pattern).flatten.map { |name| [name, path[%r{\Aqueries/driver_}] || path] }
    end.uniq.group_by(&:first)
  end

  def test_each_file_is_on_a_floor
    assert_operator SOURCES.size, :>, 50
    assert_empty SOURCES.keys.map { |path| File.dirname(path) }.uniq - FLOORS
  end

  def test_a_file_includes_nothing_that_is_above_it
    SOURCES.each do |path, text|
      text.scan(%r{^#include "(\w+)/}).flatten.each do |floor|
        assert_operator FLOORS.index(floor), :<=, FLOORS.index(File.dirname(path)),
                        "#{path} includes a file of #{floor}/"
      end
    end
  end

  def test_no_two_files_have_a_function_or_a_type_of_one_name
    twice = [FUNCTION, TYPE].flat_map { |pattern| names(pattern).select { |_, found| found.size > 1 }.keys }
    assert_empty twice
  end

  def test_no_two_files_have_one_name
    assert_empty SOURCES.keys.grep(/\.c\z/).group_by { |path| File.basename(path) }.values.reject(&:one?)
  end

  def test_bindings_only_bind
    assert_equal %w[init.c], SOURCES.keys.grep(%r{\Abindings/}).map { |path|
      File.basename(path)
    }.reject { |name| name.end_with?("_class.c") }
  end
end
