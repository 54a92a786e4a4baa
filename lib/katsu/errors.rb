# frozen_string_literal: true

module Katsu
  # The parent of this library's errors, except those for wrong arguments (ArgumentError, TypeError).
  class Error < StandardError; end
end

require_relative "errors/path"
require_relative "errors/place"
require_relative "errors/nearest_name"
require_relative "errors/generator_error"
require_relative "errors/nesting_error"
require_relative "errors/field_error"
require_relative "errors/number_error"
require_relative "errors/unknown_attribute_error"
require_relative "errors/invalid_filter_error"
require_relative "errors/serializer_not_found_error"
require_relative "errors/needs_error"
require_relative "errors/lazy_load_error"
