# frozen_string_literal: true

require "support/test_case"
require "support/prism"
require_relative "constructs"

# Each row of the tables of constructs: it is translated as the table says, and stands in the guide.
class ConstructsTest < TestCase
  include NeedsPrism

  GUIDES = File.expand_path("../../docs/moving", __dir__)

  def test_each_construct_is_translated_as_its_table_says
    Constructs::GEMS.each do |gem, (opening, table)|
      table.each do |construct|
        lines = Katsu::Migrate.text("#{opening}  #{construct.before}\nend\n").lines(chomp: true)
        assert_equal "class PostSerializer < Katsu::Serializer", lines.first, gem
        assert_equal construct.after, lines[1].strip, "#{gem}: #{construct.before}"
        assert_equal "end", lines.last
      end
    end
  end

  def test_the_guides_show_each_construct
    Constructs::GEMS.each do |gem, (_, table)|
      guide = File.readlines(File.join(GUIDES, "#{gem}.md"), chomp: true)
      expected = table.map do |construct|
        cells = [construct.before, construct.after].map { |code| "`#{code.gsub("|", "\\|")}`" }
        "| #{cells.first} | #{construct.same? && construct.before == construct.after ? "the same" : cells.last} |"
      end
      assert_equal expected, expected & guide, "docs/moving/#{gem}.md"
    end
  end
end
