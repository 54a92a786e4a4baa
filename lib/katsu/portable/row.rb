# frozen_string_literal: true

module Katsu
  module Portable
    # A loaded record's raw values, read where ActiveRecord keeps them.
    module Row
      NONE = Object.new.freeze

      class << self
        # The raw value of a JSON column that nobody has cast or written, or that was cast to nil, as what is no JSON is; NONE where
        # there is no such thing.
        def raw(record, column)
          set = record.instance_variable_get(:@attributes)
          return NONE unless set.instance_of?(::ActiveModel::LazyAttributeSet)
          return NONE unless set.instance_variable_get(:@casted_values)[column].nil?

          known = set.instance_variable_get(:@attributes)[column]
          return known.came_from_user? || !known.value.nil? ? NONE : known.value_before_type_cast if known

          set.instance_variable_get(:@values).fetch(column) { NONE }
        end
      end
    end
  end
end
