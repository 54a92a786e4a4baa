# frozen_string_literal: true

module Katsu
  module Compat
    # Katsu's errors as those of the json gem, which programs rescue.
    module Errors
      def self.translated
        yield
      rescue GeneratorError => e
        raise ::JSON::GeneratorError.new(e.message, e.invalid_object), cause: nil
      rescue NestingError => e
        raise ::JSON::NestingError, e.message, cause: nil
      end
    end
  end
end
