# frozen_string_literal: true

module Katsu
  module Testing
    # The queries that ActiveRecord makes.
    module Queries
      IGNORED = ["SCHEMA", "TRANSACTION"].freeze
      private_constant :IGNORED

      # The SQL of those that the block makes; queries that the query cache answers are none. Raises ArgumentError if
      # ActiveSupport is not there.
      def self.of(&block)
        unless defined?(::ActiveSupport::Notifications)
          raise ArgumentError, "Katsu::Testing: queries are counted by ActiveSupport::Notifications, " \
                               "which is not loaded"
        end

        made = []
        listener = lambda do |*, payload|
          made << payload[:sql] unless IGNORED.include?(payload[:name]) || payload[:cached]
        end
        ::ActiveSupport::Notifications.subscribed(listener, "sql.active_record", &block)
        made
      end

      # What is wrong, in words.
      def self.difference(count, made)
        "expected #{count} queries, were #{made.size}:#{made.map { |sql| "\n    #{sql}" }.join}"
      end
    end
  end
end
