# frozen_string_literal: true

require "support/test_case"

# Katsu::Configuration: what is set from the beginning, and what is accepted.
class ConfigurationTest < TestCase
  def test_from_the_beginning
    assert_equal :allow, Katsu::Configuration.new.on_lazy_load
  end

  def test_accepted_words
    config = Katsu::Configuration.new
    config.on_lazy_load = :allow
    error = assert_raises(ArgumentError) { config.on_lazy_load = :rais }
    assert_includes error.message, "accepted are :allow, :log, :raise. Did you mean raise?"
    assert_equal :allow, config.on_lazy_load
  end
end
