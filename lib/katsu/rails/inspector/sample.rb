# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # The JSON of a first record, without the fields that raise.
      class Sample
        # {name => error}
        attr_reader :failed

        # The JSON, indented; nil if there is no record.
        attr_reader :text

        # Raises what the document raises if that is not a single field's doing.
        def initialize(subject)
          @subject = subject
          @failed = {}
          @text = pretty(subject.one)
        rescue StandardError
          @failed = failures
          raise if @failed.empty?

          @text = pretty(subject.one(except: @failed.keys))
        end

        private

        def failures
          @subject.names.to_h { |name| [name, failure(name)] }.compact
        end

        def failure(name)
          @subject.one(only: [name]).to_json
          nil
        rescue StandardError => e
          e
        end

        def pretty(document)
          value = document.as_json
          value && Katsu.pretty_generate(value)
        end
      end
    end
  end
end
