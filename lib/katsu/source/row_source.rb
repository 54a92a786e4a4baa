# frozen_string_literal: true

module Katsu
  module Source
    # Rows in the place of records. The readers of a Query::Row give what those of the record give.
    module RowSource
      class << self
        def bind(plan, klass)
          kind, types, accesses = RecordSource.bind(plan, klass.model)
          return [OBJECT, nil, accesses.map { |access| Access.new(METHOD, access.column) }] if defined?(Native)

          accesses = accesses.map do |access|
            there = access.how == COLUMN && klass.position(access.column) # a reader raises for what is not loaded
            there ? access : Access.new(METHOD, access.column)
          end
          [kind, types, accesses]
        end

        def read(serializer, row, name)
          RecordSource.read(serializer, row, name)
        end
      end
    end
  end
end
