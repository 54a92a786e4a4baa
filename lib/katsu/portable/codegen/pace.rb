# frozen_string_literal: true

module Katsu
  module Portable
    class Codegen
      # How many objects of a class RowsSink's lambda is given at once. It is given none for a while if that costs more
      # than it saves: if it could not write most of them, or many had to be written anew for their escapes.
      class Pace
        FIRST = 16
        MAX = 64
        REST = 512
        private_constant :FIRST, :MAX, :REST

        # Of the next call.
        attr_reader :size

        def initialize
          @size = FIRST
          @rest = 0
        end

        # True if objects are to be written one by one.
        def resting? = @rest.positive?

        # One was written by itself.
        def wrote_one
          @rest -= 1
        end

        # count: how many objects the call wrote; whole: true if it wrote all it was given.
        def wrote(count, whole:)
          if !whole then @rest = MAX if count < FIRST / 2
          elsif !resting? then @size = MAX
          end
        end

        # So many of a call had to be written anew.
        def escaped(count)
          return if count * 16 <= @size

          @size = FIRST
          @rest = REST
        end
      end
    end
  end
end
