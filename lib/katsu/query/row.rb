# frozen_string_literal: true

require_relative "row_class"
require_relative "row_collection"

module Katsu
  module Query
    # A row in the place of a record: it answers the columns and associations that are read, and nothing else.
    class Row
      extend RowClass

      # values: the raw values of a row of table, an Array or RowValues.
      def initialize(table, values)
        @table = table
        @values = values
      end

      # The raw values, by their positions. What is not a record's begins with katsu_: a column may be
      # called values.
      def katsu_values = @values

      # The value of a column, as records have it.
      def [](name)
        name = self.class.model.attribute_aliases[name.to_s] || name.to_s
        position = self.class.position(name) || katsu_refuse(name)
        katsu_cast(position, @table.types.fetch(name))
      end
      alias _read_attribute []

      # As it is of every object: the model may have a method frozen?, which is refused.
      alias katsu_frozen? frozen?
      private :katsu_frozen?

      # As a record of the model that the row is of.
      def is_a?(klass) = super || self.class.model <= klass || false
      alias kind_of? is_a?
      def instance_of?(klass) = super || self.class.model.equal?(klass)

      # A row is equal to each row and each record of its model that has the same primary key.
      def ==(other)
        return true if super
        return false unless other.instance_of?(self.class.model) && !katsu_key.nil?

        katsu_key == (Row === other ? other.katsu_key : other.id)
      end
      alias eql? ==

      # As records are sorted: by their keys.
      def <=>(other)
        other.is_a?(self.class.model) ? to_key <=> other.to_key : super
      end

      # As the record's.
      def hash = katsu_key ? self.class.model.hash ^ katsu_key.hash : super

      # nil if the model has none.
      def katsu_key
        name = self.class.primary_key
        name.is_a?(::Array) ? name.map { |part| _read_attribute(part) } : name && _read_attribute(name)
      end

      # These are called without the katsu_; see define_identity.
      def katsu_persisted? = true
      def katsu_new_record? = false
      def katsu_to_model = self
      def katsu_model_name = self.class.model.model_name

      def katsu_to_key
        key = katsu_key
        [*key] if key
      end

      def katsu_to_param
        key = katsu_key
        key.is_a?(::Array) ? key.join(self.class.param_delimiter) : key&.to_s
      end

      # A new value of a column. Fields may have changed the one that the reader returns.
      def katsu_anew(name) = katsu_own(@table.types.fetch(name), self.class.position(name))

      # The raw value of a column.
      def katsu_raw(name)
        @values[self.class.position(name)]
      end

      # Of a record: another one that is not saved.
      def dup = katsu_refuse(:dup)

      # A row is no value: it is written by a serializer only.
      def as_json(*)
        katsu_refuse(:as_json)
      end

      def to_json(*)
        katsu_refuse(:to_json)
      end

      def inspect
        "#<#{self.class.name} (row) #{self.class.known.join(", ")}>"
      end

      private

      # The value at a position, which is cast when it is read for the first time. Later reads return the same object,
      # as those of a record do, so JSON is parsed once.
      def katsu_cast(position, type)
        variable = :"@value#{position}"
        known = instance_variable_get(variable)
        return known if known

        value = katsu_own(type, position)
        instance_variable_set(variable, value) unless katsu_frozen?
        value
      end

      # A value that fields may change in place. If the type returns the raw value itself, this is a copy, because the
      # raw value is read again. The readers of columns have this in their own code: made_once.
      def katsu_own(type, position)
        raw = @values[position]
        value = type.deserialize(raw)
        value.equal?(raw) && !raw.frozen? ? raw.dup : value
      end

      # As the predicate of a column tells it.
      def katsu_truth(value)
        value.respond_to?(:zero?) ? !value.zero? : !value.blank?
      end

      # Ruby itself asks for conversions that records do not answer either, such as to_ary.
      def method_missing(name, *)
        conversion = name.start_with?("to_") && !self.class.model.public_method_defined?(name)
        conversion || name.end_with?("=") ? super : katsu_refuse(name)
      end

      # A record would answer it.
      def respond_to_missing?(name, _include_private)
        katsu_refuse(name) if self.class.model.public_method_defined?(name)
        false
      end

      def katsu_refuse(name)
        raise NeedsError.new(name, self.class.model, self.class.known)
      end
    end
  end
end
