# frozen_string_literal: true

module Katsu
  module Compat
    # Katsu's errors as errors of the json gem, which programs rescue: with the same message, cause and place.
    module Errors
      # Extends an error of the json gem with the place of Katsu's.
      module Placed
        include Place

        def self.put(error, original)
          error.extend(self)
          error.instance_variable_set(:@katsu_places, original.send(:katsu_places))
          error
        end

        private

        def katsu_places = [*@katsu_places, *super]
      end
      private_constant :Placed

      def self.translated
        yield
      rescue GeneratorError => e
        raise Placed.put(::JSON::GeneratorError.new(e.message, e.invalid_object), e), cause: e.cause
      rescue NestingError => e
        raise Placed.put(::JSON::NestingError.new(e.message), e), cause: e.cause
      end
    end
  end
end
