# frozen_string_literal: true

module Katsu
  module Rails
    # The body of a response that is written while it is sent. By then each around_action of the controller has ended:
    # the document is written with the time zone, the locale and the databases (connected_to) of when it was rendered.
    class StreamedBody
      def initialize(document)
        @document = document
        @surroundings = surroundings
      end

      # See Document#each. The block is called with the zone, the locale and the databases of the caller: a server may
      # stop between two chunks.
      def each
        return to_enum unless block_given?

        outside = surroundings
        enter(@surroundings)
        @document.each do |chunk|
          enter(outside)
          yield chunk
          enter(@surroundings)
        end
        self
      ensure
        enter(outside) if outside
      end

      private

      def surroundings
        [Time.zone, ::I18n.locale, *(::ActiveRecord::Base.connected_to_stack.dup if defined?(::ActiveRecord::Base))]
      end

      def enter(surroundings)
        Time.zone, ::I18n.locale, *connected = surroundings
        ::ActiveRecord::Base.connected_to_stack.replace(connected) if defined?(::ActiveRecord::Base)
      end
    end
  end
end
