# frozen_string_literal: true

begin
  require "katsu/migrate"
rescue LoadError
  nil # Ruby 3.1 and 3.2 without the gem prism
end

# Tests of katsu migrate, which reads Ruby with Prism.
module NeedsPrism
  def setup
    skip "Prism does not come with this Ruby" unless defined?(Katsu::Migrate)
    super
  end
end
