# frozen_string_literal: true

# The ruby backend: the whole library in plain Ruby. The public classes include its modules of the same names.
require_relative "portable/argument_checks"
require_relative "portable/text"
require_relative "portable/json_text"
require_relative "portable/float_text"
require_relative "portable/stream_walk"
require_relative "portable/record_row"
require_relative "portable/time_text"
require_relative "portable/options"
require_relative "portable/generator"
require_relative "portable/writer"
require_relative "portable/object_writer"
require_relative "portable/codegen"
require_relative "portable/keyed_collections"
require_relative "portable/places"
require_relative "portable/settings"
require_relative "portable/texts"
require_relative "portable/row_runs"
require_relative "portable/batch"
require_relative "portable/plan"

module Katsu
  # Documented in lib/katsu/generator.rb.
  def self.generate(value, options = nil) # :nodoc:
    return Portable::DEFAULT_OPTIONS.generate(value) unless options
    return Generator::Options.new(options).generate(value) unless State === options

    begin
      options.generate(value)
    rescue StandardError => e
      Generator.place_error(e, [])
    end
  end
end
