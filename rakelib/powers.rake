# frozen_string_literal: true

# The table behind ext/katsu/bytes/number.c: 10**k for -292 <= k <= 324 as 128-bit numbers, rounded up,
# with the highest bit set (Giulietti, "The Schubfach way to render doubles").
POWERS_HEADER = "ext/katsu/bytes/powers_of_ten.h"

def powers_of_ten
  (-292..324).map do |k|
    power = 10**k # an exact Rational where k is negative
    shift = 127 - (k * 1_741_647 >> 19)
    significand = (power * 2r**shift).ceil
    raise "10**#{k} has not 128 bits" unless significand.bit_length == 128

    format("    {0x%016xULL, 0x%016xULL}, /* %d */", significand >> 64, significand & (2**64 - 1), k)
  end
end

desc "Write #{POWERS_HEADER} anew"
task :powers do
  File.write(POWERS_HEADER, <<~C)
    /* 10**k as 128-bit numbers, high and low half. Made by `rake powers`. */
    static const struct { uint64_t high, low; } powers_of_ten[] = {
    #{powers_of_ten.join("\n")}
    };
  C
end
