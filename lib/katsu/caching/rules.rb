# frozen_string_literal: true

module Katsu
  module Caching
    # What `cache` says of a plan's serializer, and of the serializers that write below: their JSON stands in that of
    # the record, so it depends on what theirs does and lives no longer than theirs.
    class Rules
      LIMIT = 256
      private_constant :LIMIT

      @kept = Findings.new(LIMIT)

      class << self
        # Found out once a plan.
        def of(plan)
          @kept.find(plan, :rules) || @kept.store(plan, :rules, new(plan))
        end

        # Forgets the classes of before, as they are loaded again.
        def forget
          @kept.clear
        end
      end

      # Seconds, or nil: the least of all.
      attr_reader :expires_in

      def initialize(plan)
        rules = Plan::Digest.serializers(plan).to_h { |serializer| [serializer, serializer.cache_rule] }.select { _2 }
        @varying = rules.select { |_, rule| rule.vary }.freeze
        @expires_in = rules.values.filter_map(&:expires_in).min_by(&:to_f)
        freeze
      end

      # What tells the values that vary: gives from any others, as text by serializer. Queries are made once a call, as
      # those of meta and filters_for. Raises Error for a value that has no version.
      def varied(context, scope)
        @varying.map do |serializer, rule|
          instance = Serializer::Call.instance(serializer, context, scope)
          value = Query::LazyLoads.pause { instance.__send__(rule.vary.name, *[context].first(rule.vary.arguments)) }
          [serializer.to_s, Query::Version.part(value) || refuse(serializer, value)]
        end
      end

      private

      def refuse(serializer, value)
        raise Error, "#{serializer}: cache, vary: gave a #{value.class}; accepted are nil, true, false, " \
                     "numbers, text, Arrays and Hashes of them, and saved records with updated_at"
      end
    end
  end
end
