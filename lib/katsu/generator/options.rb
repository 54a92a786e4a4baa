# frozen_string_literal: true

module Katsu
  module Generator
    # The names of the options that Katsu.generate, dump, State and Coder accept.
    OPTIONS = %i[
      indent space space_before object_nl array_nl depth max_nesting allow_nan strict script_safe ascii_only
      as_json sort_keys allow_duplicate_key buffer_initial_length rfc8785
    ].freeze

    # One set of options, checked once. The backend defines initialize(source), which takes a Hash or what converts to
    # one and raises ArgumentError and TypeError; generate(value, io = nil), which returns the JSON as a String or
    # writes it to io in chunks; and generate_core, the same without calling the outermost value's own to_json.
    class Options
      include Portable::Options if Katsu.backend == :ruby
    end
  end
end

require_relative "../portable/option_sets" if Katsu.backend == :ruby
