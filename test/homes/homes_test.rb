# frozen_string_literal: true

require "support/test_case"
require "open3"
require "rbconfig"
require "tmpdir"
require "docs/guide"

# Every example of docs/other-homes.md, those that need a framework too, with the gems of gemfiles/homes_*.gemfile.
class HomesTest < TestCase
  GUIDE = "docs/other-homes.md"
  FRAMEWORKS = %w[grape hanami-controller hanami-router roda sequel sinatra].freeze

  def test_every_example
    missing = FRAMEWORKS.reject { |name| Gem.loaded_specs.key?(name) }
    skip "these gems are not in this bundle: #{missing.join(", ")}; bin/matrix runs this" if missing.any?

    result = staged(File.read(File.join(Guide::ROOT, GUIDE)).gsub("```ruby no-run", "```ruby"))
    assert_empty result["failures"], result["failures"].join("\n")
    assert_operator result["checked"], :>, 15
  end

  private

  # What stage.rb says of the text of a guide.
  def staged(text)
    Dir.mktmpdir do |folder|
      file = File.join(folder, "guide.md")
      File.write(file, text)
      command = [RbConfig.ruby, "-I", "lib", "-r", "./test/homes/setup", "test/docs/stage.rb", "#{GUIDE}=#{file}"]
      output, status = Open3.capture2e(*command, chdir: Guide::ROOT)
      assert_predicate status, :success?, output
      JSON.parse(output.lines.last)
    end
  end
end
