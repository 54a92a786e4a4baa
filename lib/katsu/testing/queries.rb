# frozen_string_literal: true

module Katsu
  module Testing
    # The queries that ActiveRecord makes.
    module Queries
      IGNORED = ["SCHEMA", "TRANSACTION"].freeze
      private_constant :IGNORED

      # Raises ArgumentError for what is no number of queries.
      def self.check(count)
        return if count.is_a?(Integer) && !count.negative?

        raise ArgumentError, "Katsu::Testing: #{count.inspect} is no count of queries; accepted is an Integer from 0 on"
      end

      # The SQL of those that a document, or a Proc, makes; queries that the query cache answers are none. Raises
      # ArgumentError for nil, and if ActiveSupport is not there.
      def self.of(document)
        raise ArgumentError, "Katsu::Testing: queries are those of a document or a block; give one" if document.nil?

        unless defined?(::ActiveSupport::Notifications)
          raise ArgumentError, "Katsu::Testing: queries are counted by ActiveSupport::Notifications, " \
                               "which is not loaded"
        end

        made = []
        listener = lambda do |*, payload|
          made << payload[:sql] unless IGNORED.include?(payload[:name]) || payload[:cached]
        end
        ::ActiveSupport::Notifications.subscribed(listener, "sql.active_record") do
          document.is_a?(Proc) ? document.call : document.to_json
        end
        made
      end

      # What is wrong, in words.
      def self.difference(count, made)
        "expected #{count} queries, were #{made.size}:#{made.map { |sql| "\n    #{sql}" }.join}"
      end
    end
  end
end
