# frozen_string_literal: true

module Katsu
  class Serializer
    # Checks the names and keys of declarations.
    module Names
      class << self
        # given, a Symbol or String, as a Symbol. what: the declaration, for messages. Raises ArgumentError for anything
        # that is no name.
        def check(serializer, what, given)
          text = given.is_a?(Symbol) ? given.name : given
          text = text.encode(Encoding::UTF_8) if text.is_a?(String)
          return text.to_sym if text.is_a?(String) && !text.empty? # to_sym raises for invalid text

          refuse(serializer, what, given)
        rescue EncodingError
          refuse(serializer, what, given)
        end

        # The same as a String, for a key.
        def key(serializer, what, given)
          check(serializer, what, given).name
        end

        private

        def refuse(serializer, what, given)
          hint = "; the names of an Array are given by #{what}(*names)" if given.is_a?(Array) && what == "attributes"
          raise ArgumentError, "#{serializer}: #{what}: #{shortened(given)} is no name; " \
                               "names are Symbols or Strings#{hint}"
        end

        def shortened(given)
          text = given.inspect
          text.size > 100 ? "#{text[0, 100]}..." : text
        end
      end
    end
  end
end
