# frozen_string_literal: true

module Katsu
  # The options that Rails' rendering passes to as_json and to_json. only: and except: leave keys out of the outermost
  # objects, as they do for a record; status:, prefixes: and the like do not concern documents.
  module RenderOptions
    class << self
      # True if options leave keys out.
      def filters?(options)
        options.is_a?(Hash) && !(options[:only] || options[:except]).nil?
      end

      # data without the keys that options leave out. data: an as_json, a Hash or an Array of Hashes.
      def filtered(data, options)
        return data unless filters?(options)

        case data
        when Array then data.map { |element| filtered(element, options) }
        when Hash then options[:only] ? data.slice(*names(options[:only])) : data.except(*names(options[:except]))
        else data
        end
      end

      private

      def names(given)
        Array(given).map(&:to_s)
      end
    end
  end
end
