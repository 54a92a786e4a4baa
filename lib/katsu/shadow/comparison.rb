# frozen_string_literal: true

module Katsu
  module Shadow
    # Two parsed documents, and what differs between them. The elements of an array share a path, posts[].title, so that
    # a difference in each of a thousand posts is one line.
    class Comparison
      KINDS = {
        Hash => "an object", Array => "an array", String => "a string", NilClass => "null", TrueClass => "true",
        FalseClass => "false", Integer => "a number", Float => "a number"
      }.freeze
      MAX_PATHS = 1000
      private_constant :KINDS, :MAX_PATHS

      # values: whether values are named. limit: of lines about differences.
      def initialize(old, new, values: false, limit: 20)
        @values = values
        @limit = limit
        @found = {} # [path, difference] => [count, the first path with its indexes, values]
        @total = 0
        @path = []
        walk(old, new)
      end

      # A line that says how many differences there are, and one for each path and kind of difference; none if there are
      # no differences.
      def lines
        return [] if @total.zero?

        rest = @found.size - @limit
        ["#{@total} difference#{"s" unless @total == 1}", *@found.first(@limit).map { |key, found| line(*key, *found) },
         *("and #{rest} more path#{"s" unless rest == 1}" if rest.positive?)]
      end

      private

      def walk(old, new)
        if old.is_a?(Hash) && new.is_a?(Hash) then walk_hashes(old, new)
        elsif old.is_a?(Array) && new.is_a?(Array) then walk_arrays(old, new)
        elsif old != new then differ(old, new)
        end
      end

      def walk_hashes(old, new)
        old.each do |key, value|
          at(key) { new.key?(key) ? walk(value, new[key]) : add("is not in the new document", value) }
        end
        new.each { |key, value| at(key) { add("is only in the new document", value) } unless old.key?(key) }
      end

      def walk_arrays(old, new)
        add("has #{new.size} elements, not #{old.size}") unless old.size == new.size
        [old.size, new.size].min.times { |index| at(index) { walk(old[index], new[index]) } }
      end

      def differ(old, new)
        kinds = [new, old].map { |value| KINDS.fetch(value.class, "a number") }
        add(kinds.uniq.one? ? "is another #{kinds.first.split.last}" : "is #{kinds.join(", not ")}", old, new)
      end

      def at(key)
        @path << key
        yield
      ensure
        @path.pop
      end

      def add(difference, *values)
        @total += 1
        key = [path { "[]" }, difference]
        return @found[key][0] += 1 if @found.key?(key)

        @found[key] = [1, path { |index| "[#{index}]" }, values] if @found.size < MAX_PATHS
      end

      def path
        text = @path.each_with_object(+"") do |key, so_far|
          next so_far << yield(key) if key.is_a?(Integer)

          so_far << "." unless so_far.empty?
          so_far << key
        end
        text.empty? ? "the document" : Shadow.shortened(text)
      end

      def line(path, difference, count, first, values)
        texts = values.map { |value| Shadow.shortened(::JSON.generate(value)) } if @values
        named = ": #{texts.join(" / ")}" unless texts.nil? || texts.empty?
        many = " (#{count} times, first in #{first})" if count > 1
        "#{path} #{difference}#{named}#{many}"
      end
    end
  end
end
