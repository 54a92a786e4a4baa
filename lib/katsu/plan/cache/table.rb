# frozen_string_literal: true

module Katsu
  class Plan
    module Cache
      # The plans of a serializer class by their filters: Entry objects by only: and then by except:. Immutable, so that
      # readers need no lock; with gives another one.
      #
      # To copy all for each plan would take longer than to compile it, when they are many. So what is new stands apart, in a few,
      # and joins the others from time to time. Where there are too many, others are given up at random: that some are still
      # there when one more than fits are asked for in turn.
      class Table
        include Enumerable

        NONE = {}.freeze
        YOUNG_LIMIT = 32
        private_constant :NONE, :YOUNG_LIMIT

        def initialize(old = NONE, young = NONE)
          @old = old
          @young = young
          freeze
        end

        # Yields only and the Hash of entries by except.
        def each(&block)
          merged(@old, @young).each(&block)
        end

        def find(only, except)
          @young[only]&.[](except) || @old[only]&.[](except)
        end

        # With that entry in the place of one for the same filters; limit: how many there may be.
        def with(entry, limit)
          by_except = (@young[entry.only] || NONE).merge(entry.except => entry).freeze
          young = @young.merge(entry.only => by_except).freeze
          return Table.new(@old, young) if young.sum { |_, entries| entries.size } < YOUNG_LIMIT

          Table.new(less(merged(@old, young), young, limit - YOUNG_LIMIT), NONE)
        end

        private

        def merged(old, young)
          old.merge(young) { |_, one, other| one.merge(other).freeze }
        end

        # What was compiled before the last declaration is not right any more.
        def less(all, young, limit)
          entries = all.flat_map { |_, by_except| by_except.values }
          entries.select! { |entry| entry.generation == Serializer::Declarations.generation }
          if entries.size > limit
            fresh, others = entries.partition { |entry| young[entry.only]&.[](entry.except) }
            entries = others.sample(limit - fresh.size) + fresh
          end
          entries.group_by(&:only).transform_values { |of_one| of_one.to_h { |entry| [entry.except, entry] }.freeze }.freeze
        end
      end
    end
  end
end
