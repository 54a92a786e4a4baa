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

      # What is wrong, in words, as a list of one; empty if a document, or a Proc, makes so many queries. Queries that
      # the query cache answers are none. Raises ArgumentError for anything else, and if ActiveSupport is not there.
      def self.differences(count, document)
        check_document(document)
        made = []
        result = counted(made) { document.is_a?(Proc) ? document.call : document.to_json }
        return [] if made.size == count

        list = made.map { |sql| "\n    #{sql}" }.join
        ["expected #{count} queries, were #{made.size}:#{list}#{hint(result) if made.size < count}"]
      end

      def self.check_document(document)
        raise ArgumentError, "Katsu::Testing: queries are those of a document or a block; give one" if document.nil?
        return if document.is_a?(Proc) || Testing.document?(document)

        raise ArgumentError, "Katsu::Testing: queries of #{article(document.class)}; accepted are a document, such " \
                             "as PostSerializer.many(posts) or PostSerializer.one(post), and a block that renders"
      end

      def self.article(klass)
        "#{klass.to_s.match?(/\A[AEIOU]/) ? "an" : "a"} #{klass}"
      end

      def self.counted(made, &block)
        unless defined?(::ActiveSupport::Notifications)
          raise ArgumentError, "Katsu::Testing: queries are counted by ActiveSupport::Notifications, " \
                               "which is not loaded"
        end

        listener = lambda do |*, payload|
          made << payload[:sql] unless IGNORED.include?(payload[:name]) || payload[:cached]
        end
        ::ActiveSupport::Notifications.subscribed(listener, "sql.active_record", &block)
      end

      # Nothing is read for a document that is not written.
      def self.hint(result)
        return unless Testing.document?(result)

        "\n    the block returns a #{result.class}, which is read when it is written: call its to_json, " \
          "or give it in the place of a block"
      end
      private_class_method :check_document, :article, :counted, :hint
    end
  end
end
