# frozen_string_literal: true

require_relative "public_api"

# Measures the comments of public methods. A comment stands right above the definition, or, for a method that the
# backend defines, in a block of its own in the file of the class:
#
#   ##
#   # :method: pop
#   # :call-seq: pop -> self
#
# It names every parameter, says what is returned ("Returns ...", a first sentence that is the value, such as "The
# JSON.", or -> in its call-seq) and names every error class that the method itself raises. What a comment of the class
# says of all its methods counts for parameters and errors.
class Documentation
  Comment = Struct.new(:text, :body)

  def initialize(root = File.expand_path("..", __dir__))
    @root = root
    @lines = Hash.new { |files, file| files[file] = File.exist?(file) ? File.readlines(file, chomp: true) : [] }
  end

  # What is missing, a line each.
  def faults(entries = PublicAPI.entries)
    entries.flat_map do |entry|
      comment = comment_of(entry)
      missing = comment ? missing_in(entry, comment) : ["a comment"]
      missing.map { |what| "#{entry}#{place(entry)} lacks #{what}" }
    end
  end

  private

  def place(entry)
    file, line = entry.method.source_location
    file ? " (#{file.delete_prefix("#{@root}/")}:#{line})" : ""
  end

  def comment_of(entry)
    block_of(entry) || comment_above(entry.method)
  end

  # The block with ":method: name" in the file of the class.
  def block_of(entry)
    lines = @lines[file_of(entry.owner)]
    start = headings(entry).filter_map { |heading| lines.index { |line| line.strip == "# #{heading}" } }.first
    Comment.new(lines.drop(start + 1).take_while { |line| line.lstrip.start_with?("#") }.join("\n"), "") if start
  end

  def headings(entry)
    return [":singleton-method: new"] if entry.name == :initialize
    return [":method: #{entry.name}"] if entry.kind == :instance

    [":singleton-method: #{entry.name}", (":method: #{entry.name}" unless entry.owner.is_a?(Class))].compact
  end

  def file_of(owner)
    return "#{@root}/lib/katsu/generator.rb" if owner.name == "Katsu"

    path = owner.name.gsub(/([a-z])([A-Z])/, '\1_\2').gsub("::", "/").downcase
    "#{@root}/lib/#{path}.rb"
  end

  def comment_above(method)
    file, line = method.source_location
    return unless file&.start_with?(@root)

    lines = @lines[file]
    above = lines.first(line - 1).reverse.drop_while { |one| one.match?(/\A\s*(private_)?attr_|\A\s*ruby2_keywords/) }
    comment = above.take_while { |one| one.lstrip.start_with?("#") }.reverse
    Comment.new(comment.join("\n"), body_of(lines, line)) if comment.any?
  end

  # Up to the end that stands as far to the right as the definition.
  def body_of(lines, line)
    definition = lines[line - 1]
    return definition if definition.match?(/def [^ ]+(\(.*\))? = /)

    finish = "#{definition[/\A\s*/]}end"
    [definition, *lines.drop(line).take_while { |one| one != finish }].join("\n")
  end

  def missing_in(entry, comment)
    general = "#{comment.text}\n#{class_comment(entry.owner)}"
    parameters = entry.method.parameters.filter_map do |kind, name|
      name if %i[req opt keyreq key].include?(kind) && name != :_
    end
    errors = comment.body.scan(/\braise ([A-Z][A-Za-z:]+)/).flatten.uniq
    [
      ("a word on what it returns" unless returns?(entry, comment.text)),
      *parameters.compact.reject do |name|
        general.match?(/\b#{name}\b/)
      end.map { |name| "a word on its parameter #{name}" },
      *errors.reject { |name| general.include?(name.split("::").last) }.map { |name| "a word on raising #{name}" }
    ].compact
  end

  # A reader's comment says what the value is.
  def returns?(entry, text)
    text.match?(/\breturn(s|ed)?\b|->/i) || text.match?(value_first(entry)) || reader?(entry.method) ||
      entry.name.end_with?("=") || entry.name == :initialize
  end

  def reader?(method)
    file, line = method.source_location
    file ? @lines[file][line - 1].to_s.match?(/\battr_(reader|accessor)\b/) : false
  end

  # "The JSON.", "True if ...", "value as JSON", "As to_a, for other subjects."
  def value_first(entry)
    parameters = entry.method.parameters.filter_map { |kind, name| name if kind == :req }
    /\A\s*# (#{(%w[The A An All True False As] + parameters).join("|")})\b/
  end

  def class_comment(owner)
    lines = @lines[file_of(owner)]
    start = lines.index { |line| line.match?(/\A\s*(class|module) #{owner.name.split("::").last}\b/) }
    start ? lines.first(start).reverse.take_while { |line| line.lstrip.start_with?("#") }.join("\n") : ""
  end
end
