# frozen_string_literal: true

require_relative "query/reading"
require_relative "query/lazy_loads"
require_relative "query/lines"
require_relative "query/single"
require_relative "query/first"
require_relative "query/elements"
require_relative "query/collection"
require_relative "query/relation"
require_relative "query/keyed"
require_relative "query/depth"
require_relative "query/selection"
require_relative "query/code_rows"
require_relative "query/preload"
require_relative "query/subclasses"
require_relative "query/rows"
require_relative "query/names"
require_relative "query/explanation"
require_relative "query/version"

module Katsu
  # From what a document is made of to its JSON: which queries are made, and which way the values take.
  module Query
    class << self
      # The contents of a document of many objects. Raises NumberError for a source that is no collection.
      def collection(reading, source)
        return Relation.new(of_source(reading, source), source) if relation?(source)
        return Collection.new(reading, source) if Source.class_of(source) <= Array

        single = Source.single?(source) || Module === source
        many = Source.responds?(source, :each) || Source.responds?(source, :find_each)
        raise NumberError.many(reading.serializer, source) if single || !many

        Elements.new(of_source(reading, source), source)
      end

      # The contents of a document of one object. Raises NumberError for an Array and its like.
      def single(reading, source)
        return First.new(of_source(reading, source), source) if relation?(source)

        klass = Source.class_of(source)
        refused = Source.collection?(klass) && Source.refused?(reading.plan, klass)
        Source.refuse_collection(reading.serializer, nil, source) if refused
        Single.new(reading, source)
      end

      # Without a store if records of the source may have other values than those of their version.
      def of_source(reading, source)
        reading.plan.is_a?(Plan::Cached) && !reading.plan.keeps?(source) ? reading.uncached : reading
      end

      # False of a relation, and of a Stream of one, whose records may have other values than those of their version.
      def versioned?(source)
        relation = Stream === source ? source.relation : source
        !relation?(relation) || RelationChecks.versioned?(relation)
      end

      # True of an ActiveRecord relation. A decorator may hand on its class.
      def relation?(source)
        defined?(::ActiveRecord::Relation) && ::ActiveRecord::Relation === source ? true : false
      end

      # True of an ActiveRecord model object. Decorators of Draper are none, though === says so.
      def record?(object)
        return false unless defined?(::ActiveRecord::Base) && ::ActiveRecord::Base === object

        Source.class_of(object) <= ::ActiveRecord::Base ? true : false
      end
    end
  end
end
