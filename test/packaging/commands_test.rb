# frozen_string_literal: true

require "support/test_case"
require "open3"

# The commands of bin/.
class CommandsTest < TestCase
  FOLDER = File.expand_path("../../bin", __dir__)
  COMMANDS = Dir.children(FOLDER).select { |name| File.file?("#{FOLDER}/#{name}") }.sort.freeze

  # Setting up would fail, as there is no such Ruby.
  COMMANDS.each do |name|
    define_method(:"test_help_of_#{name}_without_setting_up") do
      text, status = Open3.capture2e("#{FOLDER}/#{name}", "--ruby", "/no/such/ruby", "--help")
      assert_predicate status, :success?, text
      assert_includes text, "bin/#{name}"
      refute_includes text, "#!"
    end
  end

  def test_all_commands_are_tried
    assert_operator COMMANDS.size, :>=, 10
  end
end
