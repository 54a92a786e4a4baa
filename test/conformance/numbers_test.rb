# frozen_string_literal: true

require "support/test_case"

# Floats: the digits of Float#to_s (the shortest that read back), placed as JSON.generate places them.
class NumbersTest < TestCase
  def significant(text)
    mantissa, exponent = text.delete_prefix("-").split("e")
    whole, fraction = mantissa.split(".")
    digits = "#{whole}#{fraction}"
    point = whole.size + exponent.to_i - digits[/\A0*/].size
    [digits.sub(/\A0+/, "").sub(/0+\z/, ""), point]
  end

  def check(float)
    text = Katsu.generate(float)
    raise "#{float}: #{text}" unless text.to_f.eql?(float) && significant(text) == significant(float.to_s)

    @checked = @checked.to_i + 1
  end

  def test_every_exponent_and_its_neighbours
    (-1074..1023).each do |exponent|
      float = 2.0**exponent
      [float, float.next_float, float.prev_float, -float].each { |number| check(number) unless number.zero? }
    end
    assert_operator @checked, :>, 8000
  end

  def test_powers_of_ten_and_their_neighbours
    (-323..308).each do |exponent|
      float = "1e#{exponent}".to_f
      [float, float.next_float, float.prev_float, float * 1.5].each { |number| check(number) if number.finite? && !number.zero? }
    end
    assert_operator @checked, :>, 2000
  end

  def test_random_bits_and_random_decimals
    random = Random.new(20_261_121)
    20_000.times do
      float = [random.rand(2**64)].pack("Q").unpack1("D")
      check(float) if float.finite? && !float.zero?
      check((random.rand * 1e6).round(random.rand(1..8)) + 1)
    end
    assert_operator @checked, :>, 30_000
  end

  def test_places_of_point_and_exponent_are_those_of_the_json_gem
    (-12..20).each do |exponent|
      %w[1 1.5 -7 1.2345678 123456789].each do |mantissa|
        float = "#{mantissa}e#{exponent}".to_f
        assert_equal JSON.generate(float), Katsu.generate(float)
      end
    end
    assert_equal %w[0.0 -0.0 1e+15 999999999999999.0], [0.0, -0.0, 1e15, 999_999_999_999_999.0].map { |float| Katsu.generate(float) }
  end

  def test_integers
    random = Random.new(7)
    integers = Array.new(5000) { random.rand(2**64) >> random.rand(64) }.flat_map { |n| [n, -n] }
    assert_equal integers.inspect.delete(" "), generate(integers)
  end
end
