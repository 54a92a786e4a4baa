# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # Ruby code that is a line of its own.
      Statement = Struct.new(:code)

      # How a value is written and built by the generated code: the RUBY of its column's cast. What the value is most of
      # the time is written in place, anything else as any value is.
      #
      # condition: Ruby code that tells whether parts hold, the value's JSON: Strings are text, Symbols Ruby code, and
      # Statements Ruby code that is run when what stands before them is written.
      # built: code for the value in a Hash, if built_condition holds.
      #
      # text: code for a String that the value is, if it is written as it is; or nil.
      # escaped: the ValueCode of a text that may need escapes; or nil.
      #
      # For a raw value from the record's row it is the RAW of its column's cast.
      ValueCode = Struct.new(:condition, :parts, :built_condition, :built, :text, :escaped) do
        # The condition, whether text needs escapes or not.
        def unescaped_or_not = escaped ? escaped.condition : condition

        # For a variable; nil if the cast of that name has no code, or there is no name.
        def self.for_cast(cast, variable)
          code = Cast.named(cast)&.const_get(:RUBY)
          code && make(code, variable)
        end

        # For a column's raw value in a variable; nil if the cast of that name has no code for it, or there is no name.
        def self.for_raw(cast, variable)
          code = Cast.named(cast)&.const_get(:RAW)
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
          statement = [Statement.new(code[:then]), code[:ending].to_sym] if code[:then]
          escaped = new(code[:escaped_if], [*quote, code[:escaped].to_sym, *quote]) if code[:escaped]
          new(code[:if], [*quote, code[:text].to_sym, *statement, *quote], code.fetch(:hash_if, code[:if]), code[:hash],
              (code[:text] if escaped), escaped)
        end
        private_class_method :standard?, :make
      end
    end
  end
end
