# frozen_string_literal: true

module Katsu
  module Query
    # The placeholders of binds in SQL, such as "$1, $2, $3". Longer lists begin with shorter ones, so the longest
    # one that was used is kept.
    class Placeholders
      # The longest list that is kept.
      LIMIT = 10_000
      private_constant :LIMIT

      # The block gives the placeholder of a number, from 1 on.
      def initialize(&placeholder)
        @placeholder = placeholder
        @kept = ["", [0]].freeze
      end

      # The list of as many placeholders.
      def list(count)
        return (1..count).map(&@placeholder).join(", ") if count > LIMIT

        text, ends = @kept
        text, ends = grow(count) if count >= ends.size
        text.byteslice(0, ends[count])
      end

      STYLES = [new { |number| "$#{number}" }, new { "?" }].freeze

      private

      # Another thread may do the same.
      def grow(count)
        text = +""
        ends = [0]
        (1..[count * 2, LIMIT].min).each do |number|
          text << ", " unless number == 1
          text << @placeholder.call(number)
          ends << text.bytesize
        end
        @kept = [text.freeze, ends.freeze].freeze
      end
    end
  end
end
