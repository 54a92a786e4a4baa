# frozen_string_literal: true

module Katsu
  module Rails
    # The body of a response that is written while it is sent. By then each around_action of the controller has ended:
    # the document is written with the time zone, the locale and the databases (connected_to) of when it was rendered.
    class StreamedBody
      def initialize(document)
        @document = document
        @zone = Time.zone
        @locale = ::I18n.locale
        @connected = defined?(::ActiveRecord::Base) ? ::ActiveRecord::Base.connected_to_stack.dup : []
      end

      # See Document#each.
      def each(&block)
        return to_enum unless block

        Time.use_zone(@zone) do
          ::I18n.with_locale(@locale) { connected { @document.each(&block) } }
        end
        self
      end

      private

      def connected
        return yield if @connected.empty?

        stack = ::ActiveRecord::Base.connected_to_stack
        stack.concat(@connected)
        begin
          yield
        ensure
          stack.pop(@connected.size)
        end
      end
    end
  end
end
