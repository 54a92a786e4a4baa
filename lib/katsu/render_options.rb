# frozen_string_literal: true

module Katsu
  # What Rails' rendering passes to as_json and to_json: only: and except: leave keys out of the outermost objects, as they do
  # of a record; status:, prefixes: and the like are not for documents.
  module RenderOptions
    class << self
      # True where options ask for less than all.
      def filters?(options)
        options.is_a?(Hash) && !(options[:only] || options[:except]).nil?
      end

      # data: what as_json gave, a Hash or an Array of Hashes.
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
