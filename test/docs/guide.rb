# frozen_string_literal: true

# A guide: README.md or a file of docs/, and its fenced blocks.
#
# Every `ruby` block runs, in the order of the guide, in one process for the guide. Before the first block the guide's
# set-up file runs, if there is one: test/docs/setup/serializers.rb for docs/serializers.md. What a block says it gives
# is checked:
#
#   expression # => text      the value; a String is the text itself, any other value is written as Ruby
#   expression # raises Class: message
#
# A comment of this kind may stand on the line after the expression. A text or message that ends in "..." is only the
# beginning. What a block prints is in a `text` or `json` block right after it (json: the same document, whatever its
# white space; `text explain`: driver and row are the same, as the backend and the driver decide it). A block that
# cannot run says `ruby no-run`; it has to be valid Ruby all the same.
class Guide
  ROOT = File.expand_path("../..", __dir__)
  LANGUAGES = ["ruby", "ruby no-run", "text", "text explain", "json", "sh", "sql", "c", "html", "yaml"].freeze

  # line: of the first line within the fence. output: the block with what a ruby block prints, or nil.
  Block = Struct.new(:language, :line, :code, :output, keyword_init: true)

  # A piece of a ruby block up to an expectation. kind: :value, :raises, or nil at the block's end.
  Piece = Struct.new(:code, :line, :kind, :text, keyword_init: true)

  EXPECTATION = /\A(?<code>.*?)\s*# (?<kind>=>|raises) (?<text>.+?)\s*\z/
  FENCE = /\A(?<indent> *)```(?<language>.*)\z/
  private_constant :EXPECTATION, :FENCE

  # The guides' paths, below ROOT.
  def self.paths
    Dir.chdir(ROOT) { ["README.md", *Dir["docs/**/*.md"].sort] }
  end

  attr_reader :path, :text

  def initialize(path, text = File.read(File.join(ROOT, path)))
    @path = path
    @text = text
  end

  # The set-up file, or nil.
  def setup
    file = File.join(__dir__, "setup", "#{path.delete_prefix("docs/").delete_suffix(".md").downcase}.rb")
    file if File.exist?(file)
  end

  def blocks
    @blocks ||= fenced.each_cons(2).filter_map { |block, following| with_output(block, following) }
  end

  def ruby_blocks
    blocks.select { |block| block.language == "ruby" }
  end

  # What is wrong with the guide before anything is run.
  def faults
    blocks.flat_map do |block|
      if !LANGUAGES.include?(block.language)
        ["#{path}:#{block.line - 1}: ```#{block.language}: accepted are #{LANGUAGES.join(", ")}"]
      elsif block.language == "ruby no-run"
        syntax_fault(block)
      else
        []
      end
    end
  end

  # The pieces of a ruby block. Raises ArgumentError for an expectation without an expression.
  def pieces(block)
    pieces = [piece_at(block.line)]
    block.code.each_line(chomp: true).with_index(block.line) do |line, number|
      pieces.last.code << "#{(match = EXPECTATION.match(line)) ? match[:code] : line}\n"
      next unless match
      raise ArgumentError, "#{path}:#{number}: there is no expression before this" if pieces.last.code.strip.empty?

      pieces.last.kind = match[:kind] == "=>" ? :value : :raises
      pieces.last.text = match[:text]
      pieces << piece_at(number + 1)
    end
    pieces.reject { |piece| piece.code.strip.empty? }
  end

  private

  def piece_at(line)
    Piece.new(code: +"", line: line)
  end

  # The blocks, each with whether it follows the one before with nothing but empty lines between; nil at the end.
  def fenced
    blocks = []
    open = nil
    directly = false
    text.each_line(chomp: true).with_index(1) do |line, number|
      match = FENCE.match(line)
      if open && match && match[:language].empty?
        open = nil
        directly = true
      elsif open
        open[0].code << "#{line.delete_prefix(open[2])}\n"
      elsif match
        blocks << (open = [Block.new(language: match[:language], line: number + 1, code: +""), directly,
                           match[:indent]])
      elsif !line.empty?
        directly = false
      end
    end
    raise ArgumentError, "#{path}:#{open[0].line - 1}: the block is not closed" if open

    [*blocks, nil]
  end

  def with_output((block, _), following)
    output, directly = following
    outputs = ["text", "text explain", "json"]
    block.output = output if directly && block.language == "ruby" && outputs.include?(output.language)
    block
  end

  def syntax_fault(block)
    RubyVM::InstructionSequence.compile(block.code, path, path, block.line) if defined?(RubyVM::InstructionSequence)
    []
  rescue SyntaxError => e
    ["#{path}:#{block.line}: is no Ruby: #{e.message}"]
  end
end
