# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # How a value is written and built by the generated code: the RUBY of its column's cast. What the value is most of
      # the time is written in place, anything else as any value is.
      #
      # condition: Ruby code that tells whether parts hold, the value's JSON: Strings are text, Symbols Ruby code.
      # built: code for the value in a Hash, if built_condition holds.
      #
      # Values come from the record's reader. Reading raw values from where ActiveRecord keeps them took longer than the
      # reader, which keeps what it has cast (0.66 against 1.2 times Panko in bench active_record, Simple).
      ValueCode = Struct.new(:condition, :parts, :built_condition, :built) do
        # For a variable; nil if the cast of that name has no code, or there is no name.
        def self.for_cast(cast, variable)
          code = cast && Cast.named(cast)&.const_get(:RUBY)
          code && make(code, variable)
        end

        # For a variable that is expected to be what the cast of that name writes; nil if there is no name.
        def self.expected(cast, variable)
          for_cast(cast, variable) if cast && standard?(cast)
        end

        # For a variable, of which the first that holds is taken: by the cast of a column, otherwise for what values
        # mostly are. A String of a class of its own may have an as_json.
        def self.all(cast, variable)
          code = for_cast(cast, variable)
          return [code] if code

          codes = %i[integer string].filter_map { |kind| expected(kind, variable) }
          codes.empty? ? [new("false", [], "false", "nil")] : codes
        end

        def self.standard?(cast)
          AsJson::Overrides.none?(Cast.named(cast)::VALUES)
        end

        # code: the RUBY of a cast, in which VALUE stands for the variable.
        def self.make(code, variable)
          code = code.transform_values { |ruby| ruby.is_a?(String) ? ruby.gsub("VALUE", variable) : ruby }
          quote = code[:quoted] ? ['"'] : []
          new(code[:if], [*quote, code[:text].to_sym, *quote], code.fetch(:hash_if, code[:if]), code[:hash])
        end
        private_class_method :standard?, :make
      end
    end
  end
end
