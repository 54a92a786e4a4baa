# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The code that the ruby backend generates, and the example of it in the header of its file.
class CodegenTest < TestCase
  class HeadlineSerializer < Katsu::Serializer
    attributes :id, :title
  end

  HEADER = File.expand_path("../../lib/katsu/portable/codegen.rb", __dir__)

  def setup
    skip "the native backend generates no code" if native?
  end

  def test_an_emitter_indents_and_branches
    emitter = Katsu::Portable::Codegen::Emitter.new
    emitter.line("a")
    emitter.branch("b") { emitter.line "c" }.or_branch("d") { emitter.line "e" }.otherwise { emitter.line "f" }
    emitter.branch("g", word: "unless") { emitter.branch("h") { emitter.line "i" } }
    assert_equal <<~RUBY.chomp, emitter.to_s
      a
      if b
        c
      elsif d
        e
      else
        f
      end
      unless g
        if h
          i
        end
      end
    RUBY
  end

  # Lines are "..." where the example leaves some out. Ruby before 3.4 appends with <<.
  def test_the_header_shows_what_is_generated
    skip "rows of ActiveRecord 7 are Hashes" unless defined?(ActiveRecord::Result::IndexedRow)
    plan = HeadlineSerializer.plan
    code = Katsu::Portable::Codegen.new(plan, Katsu::Source.bind(plan, Post), Post.new).code(:write).lines.map(&:strip)
    example = File.readlines(HEADER).filter_map { |line| line[/\A    #   ( *\S.*)/, 1]&.strip } - ["..."]
    example.reject! { |line| line.start_with?("out.append_as_bytes") } unless String.method_defined?(:append_as_bytes)
    assert_equal "lambda do |plan, serializer, klass, types|", example.first
    rest = code
    example.each do |line|
      index = rest.index(line)
      assert index, "#{line.inspect} is not generated, or in another place"
      rest = rest.drop(index + 1)
    end
    assert_empty rest
  end

  def compiled_code(serializer, klass) = serializer.plan.codes.by_class(klass)[klass]

  def made(code)
    %i[write build rows].select { |name| code.instance_variable_get(:"@#{name}") }
  end

  # To generate code takes longer than to write an object.
  def test_code_is_generated_when_it_is_needed
    serializer = Class.new(Katsu::Serializer) { attributes :id }
    serializer.new.serialize_to_json({id: 1})
    assert_equal %i[write], made(compiled_code(serializer, Hash))
    Katsu::ArraySerializer.new([{id: 1}] * 20, each_serializer: serializer).to_json
    rows = String.method_defined?(:append_as_bytes) ? %i[rows] : []
    assert_equal %i[write] | rows, made(compiled_code(serializer, Hash))
    point = Struct.new(:id)
    2.times { serializer.new.serialize(point.new(1)) }
    assert_equal %i[build], made(compiled_code(serializer, point))
  end

  # Ruby compares the name of a local variable with those of all others.
  def test_thousands_of_attributes_need_no_thousands_of_variables
    names = Array.new(1000) { |index| :"a#{index}" }
    plan = Class.new(Katsu::Serializer) { attributes(*names) }.plan
    {Hash => names.to_h { |name| [name, 1] }, Struct.new(*names) => nil}.each do |klass, object|
      codegen = Katsu::Portable::Codegen.new(plan, Katsu::Source.bind(plan, klass), object || klass.new)
      %i[write build].each do |name|
        assert_operator codegen.code(name).scan(/^ *(\w+) = /).uniq.size, :<, 150
      end
      assert_nil codegen.code(:rows)
    end
  end

  # Ruby takes longer than twice as long to compile twice as many lines.
  def test_thousands_of_attributes_are_written_in_parts
    {1000 => 0, 2500 => 3}.each do |count, parts|
      names = Array.new(count) { |index| :"a#{index}" }
      plan = Class.new(Katsu::Serializer) { attributes(*names) }.plan
      struct = Struct.new(*names)
      codegen = Katsu::Portable::Codegen.new(plan, Katsu::Source.bind(plan, struct), struct.new)
      %i[write build].each { |name| assert_equal parts, codegen.code(name).scan("1.times do").size, name }
    end
  end

  def rest_of(pace)
    (0..).find { pace.resting? ? pace.wrote_one && nil : true }
  end

  # More are written in a call if all of the first were written.
  def test_the_pace_of_rows
    pace = Katsu::Portable::Codegen::Pace.new
    assert_equal [16, false], [pace.size, pace.resting?]
    pace.wrote(8, whole: false)
    assert_equal [16, false], [pace.size, pace.resting?]
    pace.wrote(16, whole: true)
    assert_equal [64, false], [pace.size, pace.resting?]
    pace.wrote(7, whole: false)
    assert_equal [64, 64], [pace.size, rest_of(pace)]
  end

  # They are written one by one for a while if more than one of 16 has to be written anew.
  def test_the_pace_of_rows_with_escapes
    pace = Katsu::Portable::Codegen::Pace.new
    pace.escaped(1)
    refute_predicate pace, :resting?
    pace.wrote(16, whole: true)
    pace.escaped(4)
    refute_predicate pace, :resting?
    pace.escaped(5)
    pace.wrote(64, whole: true)
    assert_equal [16, 512], [pace.size, rest_of(pace)]
  end
end
