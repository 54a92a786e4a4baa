# frozen_string_literal: true

# Runs guides, each in a process of its own: test/docs/stage.rb PATH ...; "PATH=FILE" reads the text from another file.
# Prints a line of JSON for each: {"path":, "checked":, "failures": [...]}.
require "active_record"
require "active_support/json"
require "active_support/time"
require "stringio"
require "tmpdir"
require "katsu"
require "zlib"
require_relative "guide"

# One guide while it runs.
class Run
  def initialize(guide)
    @guide = guide
    @checked = 0
    @failures = []
  end

  def call
    @failures.concat(@guide.faults)
    setup = @guide.setup
    require setup if setup
    @guide.ruby_blocks.each { |block| run(block) }
    {path: @guide.path, checked: @checked, failures: @failures}
  rescue ScriptError, StandardError => e
    {path: @guide.path, checked: @checked, failures: [*@failures, "#{@guide.path}: #{described(e)}"]}
  end

  private

  def run(block)
    $stdout = StringIO.new
    known = @failures.size
    # what follows a failure tells nothing
    @guide.pieces(block).each do |piece|
      evaluate(piece) if @failures.size == known
    end
    printed = $stdout.string
    check_output(block, printed) if @failures.size == known && (block.output || !printed.empty?)
  ensure
    $stdout = STDOUT
  end

  def evaluate(piece)
    value = TOPLEVEL_BINDING.eval(piece.code, @guide.path, piece.line)
    return if piece.kind.nil?

    piece.kind == :value ? check_value(piece, value) : fail_at(piece, "raises nothing, and was to raise #{piece.text}")
  rescue ScriptError, StandardError => e
    piece.kind == :raises ? check_error(piece, e) : fail_at(piece, "raises #{described(e)}")
  end

  def check_value(piece, value)
    shown = value.is_a?(String) ? value : value.inspect
    @checked += 1
    return if same?(shown, piece.text) || (!value.is_a?(String) && same_value?(value, piece.text))

    fail_at(piece, "gives\n  #{shown}\nand was to give\n  #{piece.text}")
  end

  def check_error(piece, error)
    @checked += 1
    name, message = piece.text.split(": ", 2)
    return if error.class.name == name && (message.nil? || same?(error.message, message))

    fail_at(piece, "raises #{described(error)}\nand was to raise\n  #{piece.text}")
  end

  def check_output(block, printed)
    @checked += 1
    expected = block.output
    return fail_at(block, "prints, and no text or json block follows:\n#{printed}") unless expected
    return if same_output?(expected.language, printed.chomp, expected.code.chomp)

    fail_at(expected, "is to be printed, and this is:\n#{printed}")
  end

  # "..." at the end of the expected text leaves the rest open.
  def same?(shown, text)
    text.end_with?("...") ? shown.start_with?(text.delete_suffix("...")) : shown == text
  end

  # Ruby prints Hashes in different ways, depending on its version.
  def same_value?(value, text)
    !text.start_with?("#") && TOPLEVEL_BINDING.eval(text) == value
  rescue ScriptError, StandardError
    false
  end

  def same_output?(language, printed, text)
    case language
    when "json" then same_json?(printed, text)
    when "text explain" then printed.gsub(/ driver$/, " row") == text.gsub(/ driver$/, " row")
    else printed == text
    end
  end

  def same_json?(printed, text)
    JSON.generate(JSON.parse(printed)) == JSON.generate(JSON.parse(text))
  rescue JSON::ParserError
    false
  end

  def described(error)
    "#{error.class}: #{error.message}"
  end

  def fail_at(place, what)
    @failures << "#{@guide.path}:#{place.line}: #{what}"
  end
end

module Stage
  module_function

  # Each guide may define what it likes, patch what it likes and write files.
  def run_apart(argument)
    path, file = argument.split("=", 2)
    reader, writer = IO.pipe
    child = fork do
      guide = file ? Guide.new(path, File.read(file)) : Guide.new(path)
      result = Dir.mktmpdir { |folder| Dir.chdir(folder) { Run.new(guide).call } }
      writer.write(JSON.generate(result))
      writer.close
      exit!(0)
    end
    writer.close
    text = reader.read
    Process.wait(child)
    text.empty? ? JSON.generate({path: path, checked: 0, failures: ["#{path}: the process ended early"]}) : text
  end
end

ARGV.each { |argument| puts Stage.run_apart(argument) }
