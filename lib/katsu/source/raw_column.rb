# frozen_string_literal: true

module Katsu
  module Source
    # Reads a record's raw values from where ActiveRecord keeps them.
    module RawColumn
      class << self
        # The text that the database returned for a JSON column, which the attribute of that name reads; nil if there is
        # none, it may have changed, or the record has a reader of its own.
        def text(record, column, name)
          raw = read(record, column)
          own = [name, column.to_sym, :_read_attribute] # which the reader calls
          raw if raw.instance_of?(String) && !record.singleton_methods.intersect?(own)
        end

        private

        # The raw value of a JSON column as the database returned it, if it was not cast, or was cast to nil, as text
        # that is no JSON is; otherwise nil.
        def read(record, column)
          return record.katsu_raw(column) if Query::Row === record

          set = record.instance_variable_get(:@attributes)
          lazy = set.instance_of?(::ActiveModel::LazyAttributeSet)
          return unless lazy || set.instance_of?(::ActiveModel::AttributeSet)

          known = set.instance_variable_get(:@attributes)[column]
          types = record.class.attribute_types
          # The set may be of another class that the record was before.
          return if lazy && !set.instance_variable_get(:@types).equal?(types)
          return from_attribute(known, types[column]) if known
          return unless lazy

          return if set.instance_variable_get(:@additional_types).key?(column)
          return unless set.instance_variable_get(:@casted_values)[column].nil?

          set.instance_variable_get(:@values)[column]
        end

        def from_attribute(attribute, type)
          from_database = ::ActiveModel::Attribute.const_get(:FromDatabase)
          return unless attribute.instance_of?(from_database) && attribute.type.equal?(type)
          return if attribute.has_been_read? && !attribute.value.nil?

          attribute.value_before_type_cast
        end
      end
    end
  end
end
