# frozen_string_literal: true

require "support/test_case"
require "rbconfig"
require "tmpdir"
require_relative "guide"

# Every Ruby block of README.md and docs/ runs and gives what it says: see guide.rb.
class GuidesTest < TestCase
  STAGE = File.join(__dir__, "stage.rb")

  # {path => {"checked" =>, "failures" =>}}; arguments as stage.rb takes them.
  def self.staged(arguments)
    command = [RbConfig.ruby, "-I", File.join(Guide::ROOT, "lib"), STAGE, *arguments]
    lines = IO.popen(command, chdir: Guide::ROOT, &:readlines)
    lines.to_h { |line| JSON.parse(line).then { |result| [result.delete("path"), result] } }
  end

  # One process for all guides.
  def self.results
    @results ||= staged(Guide.paths)
  end

  Guide.paths.each do |path|
    define_method(:"test_#{path}") do
      result = GuidesTest.results.fetch(path)
      assert_empty result["failures"], result["failures"].join("\n\n")
      blocks = Guide.new(path).ruby_blocks
      assert_operator result["checked"], :>, 0, "#{path} has Ruby blocks and none says what it gives" if blocks.any?
    end
  end

  # A setup file whose guide is gone would run never.
  def test_set_up_files_belong_to_guides
    used = Guide.paths.filter_map { |path| Guide.new(path).setup }
    shared = [File.join(__dir__, "setup/blog.rb")]
    assert_equal [], Dir[File.join(__dir__, "setup/**/*.rb")] - used - shared
  end
end

# A guide that says what is not so fails.
class BadGuidesTest < TestCase
  GOOD = <<~MARKDOWN
    ```ruby
    x = 1
    x + 1                          # => 2
    Katsu.generate({id: x})        # => {"id":1}
    {"id" => x}                    # => {"id" => 1}
    Katsu.generate([1, 2, 3])
    # => [1,...
    Katsu.generate(Float::NAN)     # raises Katsu::GeneratorError: NaN not allowed in JSON
    puts x
    ```

    ```text
    1
    ```

    1. In a list:
       ```ruby
       puts Katsu.generate({a: [x]})
       ```
       ```json
       {
         "a": [1]
       }
       ```

    ```ruby no-run
    gem "katsu"
    ```
  MARKDOWN

  BAD = {
    "another value" => ["```ruby\n1 + 1 # => 3\n```\n", "gives\n  2\nand was to give\n  3"],
    "another text" => ["```ruby\n'a' # => b\n```\n", "gives\n  a"],
    "a text is not its inspect" => ["```ruby\n'a' # => \"a\"\n```\n", "gives\n  a"],
    "another output" => ["```ruby\nputs 1\n```\n\n```text\n2\n```\n", "is to be printed, and this is:\n1"],
    "other JSON" => ["```ruby\nputs '{\"a\":1}'\n```\n```json\n{\"a\": 2}\n```\n", "is to be printed"],
    "other order" => ["```ruby\nputs '{\"a\":1,\"b\":2}'\n```\n```json\n{\"b\":2,\"a\":1}\n```\n", "is to be printed"],
    "output without a block" => ["```ruby\nputs 1\n```\n", "no text or json block follows"],
    "a block too far" => ["```ruby\nputs 1\n```\n\nwords\n\n```text\n1\n```\n", "no text or json block follows"],
    "no output" => ["```ruby\n1\n```\n\n```text\n1\n```\n", "is to be printed, and this is:\n"],
    "an error" => ["```ruby\nKatsu.generate(Float::NAN)\n```\n", "raises Katsu::GeneratorError"],
    "no error" => ["```ruby\n1 # raises ArgumentError\n```\n", "raises nothing, and was to raise ArgumentError"],
    "another error" => ["```ruby\nInteger('a') # raises TypeError\n```\n", "raises ArgumentError"],
    "another message" => ["```ruby\nraise 'a' # raises RuntimeError: b\n```\n", "raises RuntimeError: a"],
    "no Ruby" => ["```ruby\nclass\n```\n", "raises SyntaxError"],
    "an expectation within an expression" => ["```ruby\n[1, # => 1\n2]\n```\n", "raises SyntaxError"],
    "nothing before it" => ["```ruby\n# => 1\n```\n", "there is no expression before this"],
    "an unknown language" => ["```rb\n1\n```\n", "```rb: accepted are"],
    "none" => ["```\n1\n```\n", "accepted are"],
    "no-run and no Ruby" => ["```ruby no-run\nclass\n```\n", "is no Ruby"],
    "not closed" => ["```ruby\n1\n", "the block is not closed"],
    "exit" => ["```ruby\nexit!\n```\n", "the process ended early"]
  }.freeze

  def self.results
    @results ||= Dir.mktmpdir do |folder|
      texts = BAD.transform_values(&:first).merge("good" => GOOD)
      files = texts.values.each_with_index.map do |text, index|
        File.join(folder, "#{index}.md").tap { |file| File.write(file, text) }
      end
      GuidesTest.staged(texts.keys.zip(files).map { |pair| pair.join("=") })
    end
  end

  def test_good
    result = BadGuidesTest.results.fetch("good")
    assert_equal [], result["failures"]
    assert_equal 7, result["checked"]
  end

  BAD.each do |name, (_, message)|
    define_method(:"test_bad_#{name}") do
      failures = BadGuidesTest.results.fetch(name)["failures"]
      assert_equal 1, failures.size, failures.inspect
      assert_includes failures[0], message
    end
  end
end
