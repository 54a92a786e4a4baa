# frozen_string_literal: true

require_relative "source/access"

module Katsu
  # Finds out how the values of a plan's steps are read from objects of one class. Asked once per plan and class.
  module Source
    # How a step's value is read; the numbers are those of ext/katsu/plans/plan.h.
    METHOD = 0      # the object's public method
    COLUMN = 1      # a column of the record, written by its cast
    KEY = 2         # a Hash's key
    ASSOCIATION = 3 # an association, read without a call if it is loaded
    DYNAMIC = 4     # by Source.read: it is in no row, or answered by method_missing

    # Kinds of sources.
    OBJECT = 0
    RECORD = 1
    HASH = 2
    COLLECTION = 3 # not one object, see NumberError

    # Whether a loaded association can have become stale: never; if the key in this column differs from the one that it
    # was loaded by; or in a way that only ActiveRecord knows.
    STALE_NEVER = 0
    STALE_BY_KEY = 1
    STALE_UNKNOWN = 2

    class << self
      # [kind, types, accesses]: accesses has an Access per step; types is the Hash of column types that the casts were
      # chosen by, or nil. If the class has another one later, bind is called again.
      def bind(plan, klass)
        (refused?(plan, klass) ? CollectionSource : source_for(klass)).bind(plan, klass)
      end

      # The value of attribute name of serializer in object. Raises UnknownAttributeError.
      def read(serializer, object, name)
        source_for(class_of(object)).read(serializer, object, name)
      end

      # The same for the native backend's sinks. json: true for JSON, false for a Hash.
      def read_for(serializer, object, name, json)
        value = json_of(object, name, json) if source_for(class_of(object)).equal?(RowSource)
        value.nil? ? read(serializer, object, name) : value
      end

      # What is written of a JSON column of a row object, or of a record with a class of its own: JSON gets its text as
      # a Fragment, a Hash gets its value. Cast::Json::INVALID if it is not JSON; nil if the object's reader gives the
      # value.
      def json_of(object, name, json)
        column, text = json_text(object, name)
        return unless text

        value = Cast::Json.value(object.class.attribute_types[column], text)
        json && !Cast::Json::INVALID.equal?(value) ? Fragment.new(text) : value
      end

      # The same for a field that may have a rule for nil. A JSON column reads as nil if its text is not JSON or has too
      # many levels for ActiveSupport: raises GeneratorError, or gives the value of the text.
      def read_checked(serializer, object, name)
        value = read(serializer, object, name)
        return value unless value.nil?

        column, text = json_text(object, name)
        return value unless text

        value = Cast::Json.value(object.class.attribute_types[column], text)
        Cast::Json::INVALID.equal?(value) ? refuse_json(serializer, object, [name], text) : value
      end

      # The class that the object says it has. A BasicObject need not have that method, and with others it may be an
      # attribute.
      def class_of(object)
        klass = object.class
        ::Class === klass ? klass : ::Kernel.instance_method(:class).bind_call(object)
      rescue ::NoMethodError, ::ArgumentError
        ::Kernel.instance_method(:class).bind_call(object)
      end

      # True if the object says that it has the public method. If a BasicObject cannot say it, its class tells.
      def responds?(object, name)
        object.respond_to?(name)
      rescue ::NoMethodError
        raise if ::Object === object

        class_of(object).public_method_defined?(name)
      end

      # The elements of a collection as an Array; nil for one object.
      def elements(objects)
        return objects if ::Array === objects

        objects.to_a if responds?(objects, :to_a) && !single?(objects)
      end

      # Raises the error that the reader of a record raised, or UnknownAttributeError in its place for a column that the
      # record was loaded without. path: the keys and indexes that lead to it in the document.
      def refuse_missing(serializer, object, name, error, path = nil)
        record = defined?(::ActiveRecord::Base) && object.is_a?(::ActiveRecord::Base)
        record ? RecordSource.refuse_missing(serializer, object, name, error, path) : raise(error)
      end

      # Raises NumberError for a collection in the place of one object, see there.
      def refuse_collection(serializer, name, object, path = nil)
        raise NumberError.collection(serializer, name, object, path)
      end

      # Raises NumberError for one object in the place of a collection, see there.
      def refuse_single(serializer, name, object, path = nil)
        raise NumberError.single(serializer, name, object, path)
      end

      # See Place.raise_at. Called by the native backend.
      def raise_at(error, path) = Place.raise_at(error, path)

      # True for a collection, unless the serializer has a method or a block for each key: such a serializer may tell
      # how many there are.
      def refused?(plan, klass)
        collection?(klass) && reads?(plan)
      end

      # True for the classes of collections, and for Class and Module: nobody means one of these by one object.
      def collection?(klass)
        return true if klass <= ::Array || klass <= ::Module || klass <= Stream
        return true if defined?(::Sequel::Dataset) && klass <= ::Sequel::Dataset

        return false unless klass.public_method_defined?(:to_ary) && defined?(::ActiveRecord::Relation)

        klass <= ::ActiveRecord::Relation
      end

      # True for an object that has to_a and is one object all the same.
      def single?(object)
        ::Hash === object || ::Struct === object
      end

      # Raises GeneratorError for a JSON column whose text is not JSON.
      #
      # record: also [table, index] for the record of a Query::Table's row, which is made now. path: the keys and
      # indexes that lead to the column in the document, its name last.
      def refuse_json(serializer, record, path, text)
        record = record.first.record(record.last) if ::Array === record
        message = "#{serializer}: #{path.last} of #{record.class}#{key_of(record)} is not JSON, or nested too deep: " \
                  "#{text.inspect[0, 60]}"
        raise GeneratorError.new(message, text, path)
      end

      # Raises the same error for an object for which json_of found such a text.
      def refuse_json_of(serializer, object, path)
        refuse_json(serializer, object, path, json_text(object, path.last).last)
      end

      private

      # [column, text] of a JSON column of a record or row object; nil for others. text: what the database returned; nil
      # if the object does not have it so.
      def json_text(object, name)
        source = source_for(class_of(object))
        column = source.json_column(object.class, name) if source.equal?(RecordSource) || source.equal?(RowSource)
        [column, RawColumn.text(object, column, name)] if column
      end

      # True if a step reads the object by itself, or one in what nested declares.
      def reads?(plan)
        plan.steps.any? { |step| step.call.nil? || step.reads? || (step.call.itself? && reads?(step.plan)) }
      end

      # " with id 1", or "" if the primary key is not known.
      def key_of(record)
        klass = record.class
        key = klass.primary_key
        return "" unless key.is_a?(String) && (!(Query::Row === record) || klass.position(key))

        value = record._read_attribute(key)
        value.nil? ? "" : " with #{key} #{value.inspect}"
      end

      def source_for(klass)
        return HashSource if klass <= ::Hash
        return RowSource if klass <= Query::Row
        return RecordSource if defined?(::ActiveRecord::Base) && klass <= ::ActiveRecord::Base

        ObjectSource
      end
    end
  end
end

require_relative "source/raw_column"
require_relative "source/hash_source"
require_relative "source/collection_source"
require_relative "source/object_source"
require_relative "source/record_source"
require_relative "source/row_source"
require_relative "source/readers"
