# frozen_string_literal: true

module Katsu
  module Portable
    # A loaded record's raw values, read where ActiveRecord keeps them.
    module Row
      NONE = Object.new.freeze

      class << self
        # The raw value of a column that nobody has read, cast or written; NONE where there is no such thing.
        def raw(record, column)
          set = record.instance_variable_get(:@attributes)
          return NONE unless set.instance_of?(::ActiveModel::LazyAttributeSet)
          return NONE if set.instance_variable_get(:@attributes).key?(column)
          return NONE if set.instance_variable_get(:@casted_values).key?(column)

          set.instance_variable_get(:@values).fetch(column) { NONE }
        end
      end
    end
  end
end
