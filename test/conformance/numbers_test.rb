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
    known = float.to_s
    exact = known.to_f.eql?(float) # JRuby cuts some
    raise "#{float}: #{text}" unless text.to_f.eql?(float) && (!exact || significant(text) == significant(known))

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
      [float, float.next_float, float.prev_float, float * 1.5].each do |number|
        check(number) if number.finite? && !number.zero?
      end
    end
    assert_operator @checked, :>, 2000
  end

  # KATSU_DOUBLES=10000000 checks as many.
  DOUBLES = Integer(ENV.fetch("KATSU_DOUBLES", "40000"))

  def test_random_bits_and_random_decimals
    random = Random.new(20_261_121)
    (DOUBLES / 2).times do
      float = [random.rand(2**64)].pack("Q").unpack1("D")
      check(float) if float.finite? && !float.zero?
      check((random.rand * 1e6).round(random.rand(1..8)) + 1)
    end
    assert_operator @checked, :>, DOUBLES * 0.99
  end

  # Where one digit more or less is a tie, or a bit decides.
  def test_halves_and_subnormals
    random = Random.new(5)
    2000.times do
      [49, 50, 51, 52].each { |bits| check(2.0**bits + random.rand(2**48) + [0.125, 0.25, 0.5][random.rand(3)]) }
      check((random.rand(2**30) + 0.5) * 10.0**random.rand(-30..30))
      check(random.rand(1..2**52) * 5e-324)
    end
    (1..1000).each { |n| [n * 5e-324, 0.5 + n, n / 1024.0].each { |float| check(float) } }
    assert_equal 15_000, @checked
  end

  def test_places_of_point_and_exponent_are_those_of_the_json_gem
    skip "json #{JSON::VERSION} prints exponents in another form" if JSON.generate(1e21) != "1e+21"

    (-12..20).each do |exponent|
      %w[1 1.5 -7 1.2345678 123456789].each do |mantissa|
        float = "#{mantissa}e#{exponent}".to_f
        assert_equal JSON.generate(float), Katsu.generate(float)
      end
    end
    assert_equal %w[0.0 -0.0 1e+15 999999999999999.0], [0.0, -0.0, 1e15, 999_999_999_999_999.0].map { |float|
      Katsu.generate(float)
    }
  end

  def test_integers
    random = Random.new(7)
    integers = Array.new(5000) { random.rand(2**64) >> random.rand(64) }.flat_map { |n| [n, -n] }
    assert_equal integers.inspect.delete(" "), generate(integers)
  end

  # Short ones are written at once; others, and those that hold anything else, one by one.
  def test_arrays_of_integers
    numbers = [0, 9, 10, -1, 99, 100, 12_345, -(2**62), 2**62 - 1, 2**62, -(2**64)].cycle
    arrays = (0..70).flat_map do |length|
      [Array.new(length) do
        numbers.next
      end, Array.new(length, -(2**62)), Array.new(length, 7) + ["x"], ["x"] + Array.new(length, 7)]
    end
    assert_equal JSON.generate(arrays), generate(arrays)
    arrays.each { |array| assert_equal JSON.generate(array), generate(array) }
    assert_raises(Katsu::NestingError) { generate([[[1, 2]]], max_nesting: 2) }
  end
end
