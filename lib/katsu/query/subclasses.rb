# frozen_string_literal: true

module Katsu
  module Query
    # Rows of subclasses: the column that names the class decides what a record would be of.
    module Subclasses
      class << self
        # True if each row would be read in the same way as a record of the class that it names.
        def read_alike?(table, selection)
          column = table.model.inheritance_column
          return true unless column && table.model.columns_hash.key?(column)

          table.keys(column).all? { |name| name.to_s.empty? || alike?(selection, name) }
        end

        private

        # A name of no class is an error that ActiveRecord raises when it makes the record.
        def alike?(selection, name)
          klass = selection.model.sti_class_for(name)
          klass.equal?(selection.model) || selection.alike?(klass)
        rescue ::ActiveRecord::SubclassNotFound
          false
        end
      end
    end
  end
end
