# frozen_string_literal: true

require_relative "shadow/text"
require_relative "shadow/comparison"

module Katsu
  # A document rendered both ways in a running application, see Katsu.shadow.
  module Shadow
    # What a failing comparison may raise without harm to the request. Other exceptions, such as those of a timeout, are
    # not the comparison's.
    HARMLESS = [StandardError, SystemStackError, ScriptError].freeze
    # A path, a name or a value is cut off there.
    MAX_TEXT = 200

    class << self
      # Compares what both sides made and logs the result; never raises.
      def compare(document, old, name, options)
        lines = differences(document, old, options)
        return if lines.empty?

        logger = options[:logger] || default_logger
        logger.warn { ["Katsu.shadow #{name}: #{lines.first}", *lines.drop(1)].join("\n  ") }
      rescue *HARMLESS
        nil # the logger failed
      end

      # Raises ArgumentError for options that have no meaning.
      def check(rate, limit, block)
        raise ArgumentError, "Katsu.shadow needs a block that returns what is rendered now" unless block
        unless rate.is_a?(Numeric) && rate.real? && rate.between?(0, 1)
          raise ArgumentError, "Katsu.shadow: rate: #{rate.inspect}; accepted is a number from 0 to 1"
        end
        return if limit.is_a?(Integer) && limit.positive?

        raise ArgumentError, "Katsu.shadow: limit: #{limit.inspect}; accepted is a number of lines from 1 on"
      end

      # text on one line, cut off if it is long.
      def shortened(text)
        text = text.inspect[1..-2] if text.match?(/[^[:print:]]/)
        text.size > MAX_TEXT ? "#{text[0, MAX_TEXT]}..." : text
      end

      private

      # The lines to log; none if both are the same.
      def differences(document, old, options)
        side = "old"
        before = Text.of(old)
        side = "new"
        after = Text.of(document)
        return [] if before == after

        Comparison.new(Text.parse(before, "old"), Text.parse(after, "new"), **options.slice(:values, :limit)).lines
      rescue Text::NotCompared => e
        ["not compared: #{e.message}"]
      rescue *HARMLESS => e
        ["the #{side} document raised #{e.class}: #{shortened(e.message)}", *e.backtrace&.first(3)]
      end

      def default_logger
        logger = ::Rails.logger if defined?(::Rails) && ::Rails.respond_to?(:logger)
        return logger if logger

        require "logger"
        ::Logger.new($stderr)
      end
    end
  end

  # Renders a document both ways in a running application: returns what the block returns, and now and then compares it
  # with document and logs what differs, by path. What the request answers never changes, and what goes wrong with
  # document or with the comparison is logged, never raised.
  #
  #   json = Katsu.shadow(PostSerializer.many(posts), rate: 0.01) { PostBlueprint.render(posts) }
  #   render json: json
  #
  # document: what Katsu would write: a document of many or one, anything else with to_json, JSON as a String, or a
  # callable that returns one of these, which is only called if both are compared. The block's value may be any of
  # these but a callable. rate: how often both are compared, from 0 (never) to 1 (always). name: what the log calls it;
  # the place of the call if it is not given. values: true logs values too, which may be private. limit: of lines.
  # logger: Rails' if it is not given.
  #
  # Raises ArgumentError for options that have no meaning, and whatever the block raises.
  def self.shadow(document, rate: 0.01, name: nil, values: false, limit: 20, logger: nil, &block)
    Shadow.check(rate, limit, block)
    old = yield
    if rate.positive? && Random.rand < rate
      name ||= caller_locations(1, 1).first.then { |place| "#{place.path}:#{place.lineno}" }
      Shadow.compare(document, old, name, {values: values, limit: limit, logger: logger})
    end
    old
  end
end
