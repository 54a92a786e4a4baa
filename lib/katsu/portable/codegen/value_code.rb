# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # How a value is written and built by the generated code: the RUBY of its column's cast. What the value is most of the time
      # is written in place, anything else as any value is.
      #
      # text_if and built_if are conditions; text is the value's JSON, as the inside of a double-quoted String, if text_if holds;
      # built is the value in a Hash if built_if does. All are Ruby code in which batch is known.
      #
      # Values come from the record's reader. Reading raw values from where ActiveRecord keeps them took longer than the reader,
      # which keeps what it has cast (0.66 against 1.2 times Panko in bench active_record, Simple).
      ValueCode = Struct.new(:text_if, :text, :built_if, :built) do
        # For a variable; nil if the cast of that name has no code, or there is no name.
        def self.for_cast(cast, variable)
          code = cast && Cast.named(cast)&.const_get(:RUBY)
          code && make(code, variable)
        end

        # For a variable that is expected to be what the cast of that name writes; nil if there is no name.
        def self.expected(cast, variable)
          for_cast(cast, variable) if cast && standard?(cast)
        end

        # For a variable, of which the first that holds is taken: by the cast of a column, otherwise for what values mostly are.
        # A String of a class of its own may have an as_json.
        def self.all(cast, variable)
          code = for_cast(cast, variable)
          return [code] if code

          codes = %i[integer string].filter_map { |kind| expected(kind, variable) }
          codes.empty? ? [new("false", "", "false", "nil")] : codes
        end

        def self.standard?(cast)
          AsJson::Overrides.none?(Cast.named(cast)::VALUES)
        end

        def self.make(code, variable)
          ruby = [code[:if], code[:json], code.fetch(:hash_if, code[:if]), code[:hash]]
          new(*ruby.map { |text| text.gsub("VALUE", variable) })
        end
        private_class_method :standard?, :make
      end
    end
  end
end
