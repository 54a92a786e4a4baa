# frozen_string_literal: true

module Katsu
  module Query
    # Rows of subclasses: the column that names the class decides what a record would be of.
    module Subclasses
      NONE = [].freeze
      private_constant :NONE

      class << self
        # True if each row would be read in the same way as a record of the class that it names.
        def read_alike?(table, selection)
          names(table).all? { |name| alike?(selection, name) }
        end

        # The classes that the rows of a table name, which is read alike.
        def of(table)
          names(table).map { |name| table.model.sti_class_for(name) }
        end

        private

        def names(table)
          column = table.class_column or return NONE
          table.keys(column).reject { |name| name.to_s.empty? }
        end

        # A name of no class is an error that ActiveRecord raises when it makes the record, and so is that of a class
        # that is no subclass.
        def alike?(selection, name)
          klass = selection.model.sti_class_for(name)
          klass.equal?(selection.model) || (klass < selection.model && selection.alike?(klass))
        rescue ::ActiveRecord::SubclassNotFound
          false
        end
      end
    end
  end
end
