# frozen_string_literal: true

module Katsu
  module Portable
    # Floats as JSON.generate prints them: as Float#to_s, but exponents begin at other magnitudes.
    module FloatText
      class << self
        # The text of a Float; nil if it is not finite.
        def of(number)
          return number.to_s if (number < 1e15 && number >= 1e-4) || (number > -1e15 && number <= -1e-4)

          other(number) if number.finite?
        end

        private

        # Of one that is 0, very small or very large.
        def other(number)
          text = digits(number)
          if text.include?("e")
            mantissa, exponent = text.split("e")
            exponential(mantissa.delete_suffix(".0"), exponent.to_i)
          elsif number.abs >= 1e15 && text.end_with?(".0")
            digits = text.delete("-").delete_suffix(".0")
            significant = digits.sub(/0+\z/, "")
            exponent = digits.size - 1
            "#{"-" if number.negative?}#{significant[0]}#{".#{significant[1..]}" if significant.size > 1}e+#{exponent}"
          else
            text
          end
        end

        def digits(number) = number.to_s

        # JRuby's to_s cuts what lies between 2**64 and about 1e20 after 15 digits.
        if RUBY_ENGINE == "jruby"
          def digits(number)
            text = number.to_s
            [15, 16].each do |count|
              return text if (text.to_f <=> number).zero?

              mantissa, exponent = format("%.#{count}e", number).split("e")
              text = "#{mantissa.sub(/\.?0+\z/, "")}e#{exponent}"
            end
            text
          end
        end

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
