# frozen_string_literal: true

module Katsu
  module Source
    # Rows in the place of records. The readers of a Query::Row give what those of the record give.
    module RowSource
      class << self
        def bind(plan, klass)
          kind, types, accesses = RecordSource.bind(plan, klass.model)
          return [OBJECT, nil, accesses.map { |access| by_reader(klass, access) }] if defined?(Native)

          accesses = accesses.map do |access|
            # A reader raises for what is not loaded.
            klass.position(access.column) ? access : Access.new(METHOD, access.column)
          end
          [kind, types, accesses]
        end

        # See Source.read.
        def read(serializer, row, name)
          RecordSource.read(serializer, row, name)
        end

        # The name of the JSON column that an attribute is, if the rows have it.
        def json_column(klass, name)
          column = klass.model.attribute_aliases[name.to_s] || name.to_s
          column if klass.position(column) && Cast::Json.for?(klass.model.attribute_types[column])
        end

        private

        def by_reader(klass, access)
          json = access.how == COLUMN && json_column(klass, access.column)
          Access.new(json ? DYNAMIC : METHOD, access.column)
        end
      end
    end
  end
end
