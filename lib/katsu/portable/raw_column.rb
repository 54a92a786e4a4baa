# frozen_string_literal: true

module Katsu
  module Portable
    # A record's raw values, read where ActiveRecord keeps them.
    module RawColumn
      NONE = Object.new.freeze

      class << self
        # The raw value of a JSON column as the database gave it, where nobody has cast it, or it was cast to nil, as what is no
        # JSON is; NONE where there is no such thing.
        def read(record, column)
          return record.raw(column) if Query::Row === record

          set = record.instance_variable_get(:@attributes)
          lazy = set.instance_of?(::ActiveModel::LazyAttributeSet)
          return NONE unless lazy || set.instance_of?(::ActiveModel::AttributeSet)

          known = set.instance_variable_get(:@attributes)[column]
          types = record.class.attribute_types
          return NONE if lazy && !set.instance_variable_get(:@types).equal?(types) # of another class that the record was
          return from_attribute(known, types[column]) if known
          return NONE unless lazy

          return NONE if set.instance_variable_get(:@additional_types).key?(column)
          return NONE unless set.instance_variable_get(:@casted_values)[column].nil?

          set.instance_variable_get(:@values).fetch(column) { NONE }
        end

        private

        def from_attribute(attribute, type)
          return NONE unless attribute.instance_of?(::ActiveModel::Attribute.const_get(:FromDatabase)) && attribute.type.equal?(type)
          return NONE if attribute.has_been_read? && !attribute.value.nil?

          attribute.value_before_type_cast
        end
      end
    end
  end
end
