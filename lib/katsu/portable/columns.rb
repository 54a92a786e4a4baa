# frozen_string_literal: true

module Katsu
  module Portable
    # The generated lines for a column's value, one kind for each cast: what it is most of the time is written on the
    # spot, the rest where any value is.
    #
    # Values come from the record's reader. Reading raw values from where ActiveRecord keeps them took longer
    # than the reader, which keeps what it has cast (0.66 against 1.2 times Panko in bench active_record, Simple).
    module Columns
      # cast => [condition on the value, its text in JSON as the inside of a double-quoted String, the value in a Hash,
      # the condition for that where it is another]; Ruby in which batch is known, with VALUE for the variable that holds
      # the value.
      CODE = Ractors.share(
        integer: ["::Integer === VALUE", '#{VALUE}', "VALUE"],
        string: ["::String === VALUE && ::Katsu::Portable::Text.plain?(VALUE)", '\"#{VALUE}\"', "VALUE", "VALUE.instance_of?(::String)"],
        float: ["::Float === VALUE && VALUE.finite?", '#{::Katsu::Portable::Numbers.float(VALUE)}', "VALUE"],
        boolean: ["(true == VALUE || false == VALUE)", '#{VALUE}', "VALUE"],
        datetime: ["batch.standard_times? && ::Time === VALUE", '\"#{VALUE.xmlschema(3)}\"', "VALUE.xmlschema(3)"],
        date: ["batch.standard_times? && ::Date === VALUE", '\"#{VALUE.strftime("%Y-%m-%d")}\"', 'VALUE.strftime("%Y-%m-%d")']
      )
      private_constant :CODE

      # These for a variable; nil for a cast without such lines.
      def self.code(cast, variable)
        CODE[cast == :zoned_datetime ? :datetime : cast]&.map { |code| code.gsub("VALUE", variable) }
      end
    end
  end
end
