# frozen_string_literal: true

# The ruby backend: the whole library in plain Ruby.
require_relative "portable/checks"
require_relative "portable/text"
require_relative "portable/chunk"
require_relative "portable/numbers"
require_relative "portable/options"
require_relative "portable/keys"
require_relative "portable/elements"
require_relative "portable/collections"
require_relative "portable/generator"
require_relative "portable/writer"
require_relative "portable/object_writer"
require_relative "portable/engine"

module Katsu
  # value's JSON. options: see Katsu::Generator::OPTIONS, as keywords, a Hash or a State.
  def self.generate(value, options = nil)
    return options.generate(value) if options.is_a?(State)

    (options.nil? ? Portable::DEFAULT_OPTIONS : Generator::Options.new(options)).generate(value)
  end
end
