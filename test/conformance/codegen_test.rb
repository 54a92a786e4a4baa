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
    code = Katsu::Portable::Codegen.new(HeadlineSerializer.plan, Post, Post.new).code.lines.map(&:strip)
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
end
