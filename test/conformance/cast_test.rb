# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The list of casts, which both backends have in the same order.
class CastTest < TestCase
  NAMES = Katsu::Cast::NAMES
  MUTABLE = NAMES.select { |name| Katsu::Cast.mutable?(name) }

  def test_the_backends_have_the_same_casts
    listed = native? && Katsu::Native.respond_to?(:mutable_casts)
    assert_nil Katsu::Cast.check(*(listed ? [Katsu::Native.casts, Katsu::Native.mutable_casts] : [NAMES, MUTABLE]))
  end

  def test_a_cast_that_the_native_backend_lacks
    assert_load_error("casts: ext/katsu/casts/casts.def lacks date, decimal", NAMES - %i[date decimal])
  end

  def test_a_cast_that_the_ruby_files_lack
    assert_load_error("casts: lib/katsu/cast.rb lacks inet", [*NAMES, :inet])
  end

  def test_casts_in_another_order
    assert_load_error("casts: lib/katsu/cast.rb has another order than ext/katsu/casts/casts.def", NAMES.reverse)
  end

  def test_a_cast_that_is_mutable_on_one_side_only
    message = "casts: integer is mutable on one backend and not on the other"
    assert_load_error(message, NAMES, [*MUTABLE, :integer])
    assert_load_error(message.sub("integer", "string"), NAMES, MUTABLE - [:string])
  end

  def test_each_cast_has_a_file_of_its_own
    folder = File.expand_path("../../lib/katsu/cast", __dir__)
    assert_equal (NAMES - [:generic]).sort, Dir.children(folder).map { |file| file.delete_suffix(".rb").to_sym }.sort
  end

  def assert_load_error(message, names, mutable = MUTABLE)
    assert_equal message, assert_raises(LoadError) { Katsu::Cast.check(names, mutable) }.message
  end
end
