# frozen_string_literal: true

module Fuzz
  # Ruby source that can be made smaller: text, children joined by a separator, text.
  class Tree
    attr_reader :before, :children, :after, :source

    # droppable: false if no child may be left out. simpler: sources that may stand in place of the whole.
    # hoist: true if a child may stand in place of the whole.
    def initialize(before, children = [], after = "", separator: ", ", droppable: true, simpler: [], hoist: false)
      @before = before
      @children = children
      @after = after
      @separator = separator
      @droppable = droppable
      @simpler = simpler
      @hoist = hoist
      @source = "#{before}#{children.map(&:source).join(separator)}#{after}"
    end

    # Trees that are a little smaller, the smallest first.
    def smaller
      return @simpler.map { |text| Tree.new(text) } if @children.empty?

      replaced = @simpler.map { |text| Tree.new(text) } + (@hoist ? @children.select(&:value?) : [])
      replaced + fewer + inner
    end

    def value? = @hoist || !@simpler.empty?

    private

    def with(children)
      options = {separator: @separator, droppable: @droppable, simpler: @simpler, hoist: @hoist}
      Tree.new(@before, children, @after, **options)
    end

    # Halves first, as most of a large case has nothing to do with what it found.
    def fewer
      return [] unless @droppable

      half = @children.size / 2
      halves = half > 1 ? [with(@children.drop(half)), with(@children.take(half))] : []
      halves + @children.each_index.map { |index| with(@children[0...index] + @children[(index + 1)..]) }
    end

    def inner
      @children.each_with_index.flat_map do |child, index|
        child.smaller.map { |other| with(@children[0...index] + [other] + @children[(index + 1)..]) }
      end
    end
  end
end
