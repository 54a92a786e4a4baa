# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The list of casts, which both backends have in the same order.
class CastTest < TestCase
  def both
    Katsu::Cast::NAMES.to_h { |name| [name, {mutable: name == :generic || Katsu::Cast.named(name)::MUTABLE}] }
  end

  def test_the_backends_have_the_same_casts
    native = native? && Katsu::Native.respond_to?(:casts) ? Katsu::Native.casts : both
    assert_nil Katsu::Cast.check(native)
  end

  def test_a_cast_that_the_native_backend_lacks
    assert_load_error("casts: ext/katsu/casts/casts.def lacks date, decimal", both.except(:date, :decimal))
  end

  def test_a_cast_that_the_ruby_files_lack
    assert_load_error("casts: lib/katsu/cast.rb lacks inet", both.merge(inet: {mutable: false}))
  end

  def test_casts_in_another_order
    assert_load_error("casts: lib/katsu/cast.rb has another order than ext/katsu/casts/casts.def", both.to_a.reverse.to_h)
  end

  def test_a_cast_that_is_mutable_on_one_side_only
    assert_load_error("casts: integer is mutable on one backend and not on the other", both.merge(integer: {mutable: true}))
  end

  def test_each_cast_has_a_file_of_its_own
    folder = File.expand_path("../../lib/katsu/cast", __dir__)
    assert_equal Dir.children(folder).map { |file| file.delete_suffix(".rb").to_sym }.sort, (Katsu::Cast::NAMES - [:generic]).sort
  end

  def assert_load_error(message, casts)
    assert_equal message, assert_raises(LoadError) { Katsu::Cast.check(casts) }.message
  end
end
