# frozen_string_literal: true

module Katsu
  class Plan
    module Cache
      # The plans of a serializer class by their filters: Entry objects by only: and then by except:. Immutable, so that
      # readers need no lock; with returns another table.
      #
      # Copying many entries for each new one would take longer than compiling a plan. So new entries are kept apart, in
      # a small Hash, which is merged into the other from time to time. If there are too many, entries are dropped at
      # random, so that some remain even if one more than fits are used in turn.
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

        # The entry for these filters, or nil.
        def find(only, except)
          @young[only]&.[](except) || @old[only]&.[](except)
        end

        # A table with this entry, which replaces one for the same filters. limit: how many entries it may have.
        def with(entry, limit)
          by_except = (@young[entry.only] || NONE).merge(entry.except => entry).freeze
          young = @young.merge(entry.only => by_except).freeze
          return Table.new(@old, young) if young.sum { |_, entries| entries.size } < YOUNG_LIMIT

          Table.new(limited(merged(@old, young), young, limit - YOUNG_LIMIT), NONE)
        end

        private

        def merged(old, young)
          old.merge(young) { |_, one, other| one.merge(other).freeze }
        end

        # At most limit entries, those of young among them. Stale ones are dropped first.
        def limited(all, young, limit)
          entries = all.flat_map { |_, by_except| by_except.values }
          entries.select! { |entry| entry.generation == Serializer::Declarations.generation }
          fresh, others = entries.partition { |entry| young[entry.only]&.[](entry.except) }
          by_only = [*others.sample(limit - fresh.size), *fresh].group_by(&:only)
          by_only.transform_values { |same| same.to_h { |entry| [entry.except, entry] }.freeze }.freeze
        end
      end
    end
  end
end
