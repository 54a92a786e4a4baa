# frozen_string_literal: true

module Katsu
  module Portable
    # Floats as JSON.generate prints them: as Float#to_s, but exponents begin at other magnitudes.
    module FloatText
      class << self
        # The text of a finite Float.
        def of(number)
          text = number.to_s
          magnitude = number.abs
          return text if magnitude < 1e15 && magnitude >= 1e-4

          if text.include?("e")
            mantissa, exponent = text.split("e")
            exponential(mantissa.delete_suffix(".0"), exponent.to_i)
          elsif magnitude >= 1e15 && text.end_with?(".0")
            digits = text.delete("-").delete_suffix(".0")
            significant = digits.sub(/0+\z/, "")
            exponent = digits.size - 1
            "#{"-" if number.negative?}#{significant[0]}#{".#{significant[1..]}" if significant.size > 1}e+#{exponent}"
          else
            text
          end
        end

        private

        # Down to 1e-9 numbers are printed without an exponent.
        def exponential(mantissa, exponent)
          return "#{mantissa}e#{"+" if exponent.positive?}#{exponent}" unless exponent.between?(-9, -1)

          sign = mantissa.start_with?("-") ? "-" : ""
          "#{sign}0.#{"0" * (-exponent - 1)}#{mantissa.delete("-.")}"
        end
      end
    end
  end
end
