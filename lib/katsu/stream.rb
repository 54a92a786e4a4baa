# frozen_string_literal: true

module Katsu
  # A JSON array of elements that are written as they come, and are never all in memory.
  #
  #   Katsu.dump({posts: Katsu::Stream.new(Post.where(draft: false))}, io)
  #   Katsu.dump(Katsu::Stream.new(File.foreach("log").lazy.map(&:chomp)), io)
  #
  # An element that JSON has no form for and whose class has an as_json, such as a record, is written as that.
  class Stream
    include Enumerable

    # elements: anything with each (an Enumerator, a lazy one, an Enumerable), or an ActiveRecord relation, which is
    # read in batches by find_each, in the order of its primary key. ArgumentError for a relation with an order of
    # its own, which batches cannot keep, and for what has no each.
    def initialize(elements)
      @batches = !elements.is_a?(Enumerator) && elements.respond_to?(:find_each) && !(elements.respond_to?(:loaded?) && elements.loaded?)
      raise ArgumentError, "Katsu::Stream.new: #{elements.class} has no each" unless @batches || elements.respond_to?(:each)
      if @batches && elements.respond_to?(:order_values) && elements.order_values.any?
        raise ArgumentError, "Katsu::Stream.new: a relation with an order cannot be read in batches; give its find_each(order:), or to_a"
      end

      @elements = elements
    end

    def each(&block)
      return to_enum unless block

      @batches ? @elements.find_each(&block) : @elements.each(&block)
      self
    end

    # For other generators. Without a State as ActiveSupport has it, where it is loaded: the elements by their as_json.
    def to_json(state = nil, *)
      return Katsu.generate(self, state) if state.is_a?(::JSON::State)
      return as_json.to_json(state) if defined?(::ActiveSupport::JSON)

      Katsu.generate(self, state)
    end

    def as_json(*)
      map { |element| element.respond_to?(:as_json) ? element.as_json : element }
    end
  end
end
