# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # The generated lines for a column's value, one kind for each cast: what it is most of the time is written on the
      # spot, the rest where any value is.
      #
      # Values come from the record's reader. Reading raw values from where ActiveRecord keeps them took longer
      # than the reader, which keeps what it has cast (0.66 against 1.2 times Panko in bench active_record, Simple).
      module ValueCode
        # Ruby for one kind of column, in which batch is known and VALUE stands for the variable that holds the value:
        # its text in JSON, as the inside of a double-quoted String, where text_if holds; the value in a Hash, where
        # built_if does.
        Code = Struct.new(:text_if, :text, :built_if, :built)
        private_constant :Code

        def self.column(text_if, text, built = "VALUE", built_if: text_if)
          Code.new(text_if, text, built_if, built)
        end
        private_class_method :column

        CODE = Ractors.share(
          integer: column("::Integer === VALUE", '#{VALUE}'),
          string: column("VALUE.instance_of?(::String) && ::Katsu::Portable::Text.plain?(VALUE)", '\"#{VALUE}\"', built_if: "VALUE.instance_of?(::String)"),
          float: column("::Float === VALUE && VALUE.finite?", '#{::Katsu::Portable::FloatText.of(VALUE)}'),
          boolean: column("(true == VALUE || false == VALUE)", '#{VALUE}'),
          datetime: column("batch.standard_times? && (::Time.equal?(VALUE.class) || ::ActiveSupport::TimeWithZone.equal?(VALUE.class))", '\"#{VALUE.xmlschema(3)}\"', "VALUE.xmlschema(3)"),
          date: column("batch.standard_times? && VALUE.instance_of?(::Date)", '\"#{VALUE.strftime("%Y-%m-%d")}\"', 'VALUE.strftime("%Y-%m-%d")')
        )
        private_constant :CODE

        # What any other value is most of the time, by the kinds of Expectations. A String of a class of its own may have an as_json.
        ANY = Ractors.share(
          integer: CODE[:integer],
          string: CODE[:string]
        )
        # For values of which each is asked for its as_json.
        NEVER = Ractors.share([column("false", "")])
        private_constant :ANY, :NEVER

        # The Code for a variable; nil for a cast without one.
        def self.code(cast, variable)
          code = CODE[cast == :zoned_datetime ? :datetime : cast]
          code && of(code, variable)
        end

        # The Code for a variable of one of the kinds of Expectations; nil for no kind.
        def self.guessed(kind, variable)
          of(ANY.fetch(kind), variable) if kind && Cast::Standard.cast?(kind)
        end

        # Code for a variable, of which the first that holds is taken: by the cast of a column, otherwise for what values mostly
        # are.
        def self.codes(cast, variable)
          code = code(cast, variable)
          return [code] if code

          any = ANY.filter_map { |kind, guess| of(guess, variable) if Cast::Standard.cast?(kind) }
          any.empty? ? NEVER : any
        end

        def self.of(code, variable)
          Code.new(*code.map { |ruby| ruby.gsub("VALUE", variable) })
        end
        private_class_method :of
      end
    end
  end
end
