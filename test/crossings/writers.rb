# frozen_string_literal: true

require_relative "documents"

# The table of what meets what in a Katsu::Writer: each line is a value, a key, a way to push, what came before, or
# where the document goes. writers_test.rb makes rows of them in which each two meet.
module Writers
  KEYS = {text: "k", symbol: :k, wide: "größe", escaped: "q\" \n", latin: "é".encode("ISO-8859-1"), empty: "",
          broken: "\xFF", frozen: "f", subclass: Documents::Text.new("sub"), long: "k" * 700}.freeze

  # Pushes into an open object.
  PUSHES = {
    value: ->(writer, value, key) { writer.push_value(value, key) },
    key_first: ->(writer, value, key) { writer.push_key(key).push_value(value) },
    json: ->(writer, value, key) { writer.push_json(JSON.generate(value), key) },
    object: ->(writer, value, key) { writer.push_object(key).push_value(value, "v").pop },
    array: ->(writer, value, key) { writer.push_key(key).push_array.push_value(value).pop }
  }.freeze

  # The text of a pushed member without its key.
  TEXTS = {value: "%s", key_first: "%s", json: "%s", object: "{\"v\":%s}", array: "[%s]"}.freeze

  FAILING = Object.new.tap { |object| object.define_singleton_method(:to_json) { |*| raise KeyError, "mine" } }
  LEAVING = Object.new.tap { |object| object.define_singleton_method(:to_json) { |*| throw :out } }

  # What happens before, and is not in the document.
  BEFORE = {
    nothing: ->(_writer) {},
    failure: ->(writer) { writer.push_value([1, FAILING], "gone") },
    leaving: ->(writer) { catch(:out) { writer.push_value({"a" => LEAVING}, "gone") } },
    misuse: ->(writer) { writer.push_value(1) },
    key_misuse: ->(writer) { writer.push_object(5) },
    early_end: ->(writer) { writer.to_s }
  }.freeze

  # How much stands before it: less than the writer's first bytes, more, and more than a chunk.
  LENGTHS = {none: 0, some: 600, much: 5000, chunk: 70_000}.freeze
  TARGETS = {text: false, io: true}.freeze
  LEVELS = {one: 1, many: 40}.freeze

  FACTORS = {value: Documents::VALUES, key: KEYS, push: PUSHES, before: BEFORE, length: LENGTHS, target: TARGETS,
             level: LEVELS}.transform_values(&:keys).freeze

  # A push that failed cannot be taken back if a chunk went to the io meanwhile.
  def self.possible?(row)
    !(row[:target] == :io && row[:length] == :chunk && %i[failure leaving].include?(row[:before]))
  end
end
