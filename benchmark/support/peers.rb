# frozen_string_literal: true

module Benchmarks
  # The serializers that are compared beside Panko, each in a file of peers/, which says why it is called as it is.
  #
  # A gem that is not there, because it does not install on this Ruby, is reported and left out.
  module Peers
    FOLDER = File.join(__dir__, "peers")
    NAMES = %w[oj_serializers alba blueprinter serega jbuilder props_template active_model_serializers
               jsonapi_serializer active_record].freeze

    # Dates as Rails prints them: what Katsu and Panko print too.
    ISO = ->(time) { time.xmlschema(3) }

    class << self
      def load
        @loaded ||= NAMES.select do |name|
          require File.join(FOLDER, name)
          true
        rescue LoadError => e
          warn "peers: #{name} is left out: #{e.message.lines.first.strip}"
          false
        end
      end

      # A Harness::Peer for each gem that is there. The block gives the records, and is part of each call.
      def all(serializer, &records)
        with_own(serializer) { records }
      end

      # The block gives a callable that gives the records, another one for each peer.
      def with_own(serializer)
        @loaded.map do |name|
          records = yield
          peer = const_get(name.split("_").map(&:capitalize).join)
          Harness::Peer.new(name, fastest(peer.contenders(serializer, &records)), peer.respond_to?(:other_document?))
        end
      end

      private

      # Of several documented ways the one that is faster here.
      def fastest(contenders)
        return contenders.first if contenders.one?

        contenders.each { |call| call.call(20) }
        contenders.min_by { |call| Array.new(5) { seconds(call) }.min }
      end

      def seconds(call)
        start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        call.call(3)
        Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
      end
    end
  end
end
