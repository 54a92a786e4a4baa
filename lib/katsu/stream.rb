# frozen_string_literal: true

module Katsu
  # A JSON array whose elements are written as they come and are never all in memory.
  #
  #   Katsu.dump({posts: Katsu::Stream.new(Post.where(draft: false))}, io)
  #   Katsu.dump(Katsu::Stream.new(File.foreach("log").lazy.map(&:chomp)), io)
  #
  # An element whose class has an as_json and no to_json of its own, such as a record, is written as its as_json; that
  # which ActiveSupport gives Ruby's own classes does not count.
  class Stream
    include Enumerable

    # Parts of a relation with which find_each leaves out rows: OFFSET counts in each batch, and batches may end between
    # rows of one record.
    WHOLE = %i[offset joins left_outer_joins group having].freeze
    private_constant :WHOLE

    # elements: anything with each (an Enumerator, a lazy one, an Enumerable), or an ActiveRecord relation or model. A
    # relation is read in batches by find_each, in the order of its primary key. It is read at once if it is loaded, if
    # it holds objects that are not saved, if it has joins, an offset or groups, and if its model has no primary key, or
    # one that the database does not compare as it sorts it, such as MySQL's ENUM.
    # Raises ArgumentError for a relation with an order, which batches cannot keep, and for an object without each.
    def initialize(elements)
      model = !elements.respond_to?(:each)
      unless !model || elements.respond_to?(:find_each)
        raise ArgumentError, "Katsu::Stream.new: #{elements.class} has no each"
      end

      @elements = elements
      @batches = model ? batches_of_model? : batches?(elements)
    end

    # Yields each element and returns self; without a block returns an Enumerator.
    def each(&block)
      return to_enum unless block

      if @batches
        @elements.find_each(&block)
      else
        (@elements.respond_to?(:each) ? @elements : @elements.all).each(&block)
      end
      self
    end

    # The ActiveRecord relation that the elements are; nil if they are none.
    def relation = (@elements if Query.relation?(@elements))

    # The JSON array, for other generators. state: a State, or options. If there is no State and ActiveSupport is
    # loaded, it is what an Array of the elements gives: they are written by their as_json, which gets the options.
    def to_json(state = nil, *)
      unless defined?(::ActiveSupport::JSON) && !state.is_a?(::JSON::State)
        return Katsu.generate(own_as_json? ? as_json : Stream.new(to_enum), state)
      end

      ::ActiveSupport::JSON.encode(own_as_json? ? self : elements, state)
    end

    # An Array of the elements' as_json. options: what each as_json is given, as an Array gives it.
    def as_json(options = nil)
      list = elements
      return options ? list.as_json(options) : AsJson.of_any(list) if list.respond_to?(:as_json)

      list.map do |element|
        options && AsJson.defined_for?(element) ? element.as_json(options.dup) : AsJson.of_any(element)
      end
    end

    private

    # The elements as an Array, as they are written: of a yield of several values, or of none, an Array of them.
    def elements
      list = []
      each { |*values| list << (values.size == 1 ? values[0] : values) }
      list
    end

    # True if a subclass, or the object itself, has an as_json of its own.
    def own_as_json? = !method(:as_json).owner.equal?(Stream)

    # True for what has find_each and no each. A model may have a default scope.
    def batches_of_model?
      all = @elements.all if @elements.respond_to?(:all)
      !Query.relation?(all) || batches?(all)
    end

    # True for a relation that is not loaded, that holds no objects which are not in the database as they are, and of
    # which batches have all rows. A decorator may hand on the find_each of its relation, which yields other objects
    # than its own each. Raises ArgumentError for an order.
    def batches?(elements)
      return false unless Query.relation?(elements) && !elements.loaded? && !unsaved?(elements)
      return false unless Query::RelationChecks.batches?(elements.klass)
      return false if WHOLE.intersect?(Query::RelationChecks.parts(elements))
      return true if elements.order_values.empty?

      raise ArgumentError, "Katsu::Stream.new: a relation with an order cannot be read in batches; " \
                           "give its find_each(order:), or to_a"
    end

    # True of an association of one record, such as author.posts, with objects that were built or changed.
    def unsaved?(elements)
      return false unless defined?(::ActiveRecord::Base) && ::ActiveRecord::Associations::CollectionProxy === elements

      elements.target.any? { |object| object.new_record? || object.changed? }
    end
  end
end
