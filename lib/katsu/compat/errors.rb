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
          error.instance_variable_set(:@katsu_error, original)
          error
        end

        # Katsu's error, of which this one was made.
        attr_reader :katsu_error

        private

        def katsu_places = [*@katsu_error.send(:katsu_places), *super]
      end
      private_constant :Placed

      # An error of the json gem that was made of Katsu's is Katsu's again while a document around it is written: it is
      # given its place there, and translated where that document ends.
      module Original
        def place_error(error, path)
          super(Placed === error ? error.katsu_error : error, path)
        end
      end
      private_constant :Original
      Generator.singleton_class.prepend(Original)

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
