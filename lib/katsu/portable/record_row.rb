# frozen_string_literal: true

begin
  require "objspace"
rescue LoadError
  nil # see RecordRow.available?
end

module Katsu
  module Portable
    # Reads a loaded record's row where ActiveRecord 8 keeps it: record @attributes -> LazyAttributeSet @values ->
    # IndexedRow @row. The code that Codegen generates does so, see Codegen::RowReader.
    #
    # A record with a singleton class has methods of its own, of which any may be a reader.
    # ObjectSpace.internal_class_of tells such a record from others in 7 ns, singleton_methods in 45.
    module RecordRow
      # Methods of ActiveModel::LazyAttributeSet: instance_variable_get takes ten times as long as they do, and a record
      # has five variables to be read.
      module Set
        # The row as it was loaded; nil if it is of another result than these places; false if it is not what the
        # record has now, or another class loaded it.
        def katsu_row(types, places)
          values = @values
          return unless @additional_types.equal?(places[0]) && ::ActiveRecord::Result::IndexedRow.equal?(values.class)

          row = values.katsu_row(places[1])
          return row if row.nil? || (@attributes.empty? && @types.equal?(types))

          @types.equal?(types) && katsu_as_loaded? && row
        end

        # A Hash of the values that were read, by name.
        def katsu_casted = @casted_values

        # True if no key was written, so that a loaded association belongs to the one that the record has.
        def katsu_unchanged? = @attributes.empty?

        # Where the named columns are in rows of the set's result: the types that the result has for its columns, its
        # columns, and their positions. nil if rows of that result are not read.
        def katsu_places(names)
          return if names.any? { |name| @additional_types.key?(name) }
          return unless ::ActiveRecord::Result::IndexedRow.equal?(@values.class)

          places = @values.katsu_places(names)
          [@additional_types, *places].freeze if places
        end

        private

        # True if the Attribute objects made so far, as preloading makes them of keys, have the row's values.
        def katsu_as_loaded?
          @attributes.each do |name, attribute|
            return false unless ::ActiveModel::Attribute.const_get(:FromDatabase).equal?(attribute.class)
            return false unless attribute.value_before_type_cast.equal?(@values[name])
            return false unless !attribute.has_been_read? || ::Integer === attribute.value
          end
          true
        end
      end

      # Methods of ActiveRecord::Result::IndexedRow.
      module Row
        # The row, if it is of a result with these columns.
        def katsu_row(columns)
          @row if @column_indexes.equal?(columns)
        end

        # The columns of the row's result, and after them where the named ones are; nil if one is missing.
        def katsu_places(names)
          places = names.map { |name| @column_indexes[name] }
          [@column_indexes, *places] unless places.include?(nil)
        end
      end

      # What a loaded association has; UNKNOWN if its reader has to be called.
      UNKNOWN = Object.new.freeze

      # A method of ActiveRecord::Associations::Association.
      module Target
        # The record, nil or the Array of records; UNKNOWN if they are not loaded, or are a promise, which has no nil?.
        def katsu_target
          return UNKNOWN unless @loaded

          target = @target
          nil == target || ::Array.equal?(target.class) || ::ActiveRecord::Base === target ? target : UNKNOWN
        end
      end

      # Where columns are in a row of no result.
      NOWHERE = [nil, nil].freeze
      LOCK = Mutex.new
      private_constant :LOCK

      class << self
        # True if rows can be read so: ActiveRecord has IndexedRow, and ObjectSpace internal_class_of. Finds out once,
        # in the main Ractor, when the first record is written.
        def available?
          return @available unless @available.nil?
          return false unless Ractors.main?

          LOCK.synchronize { @available = prepare if @available.nil? }
          @available
        end

        # True for a record that was loaded and has its row.
        def loaded?(record)
          available? && ::ActiveModel::LazyAttributeSet.equal?(record.instance_variable_get(:@attributes).class)
        end

        private

        def prepare
          ::ActiveRecord::Result::IndexedRow.include(Row)
          ::ActiveModel::LazyAttributeSet.include(Set)
          ::ActiveRecord::Associations::Association.include(Target)
          Source::ReaderPatches.watch
          passes?
        rescue StandardError
          false
        end

        # Reads a set of attributes made for it both ways.
        def passes?
          types = {"a" => ::ActiveModel::Type::Integer.new}
          row = ::ActiveRecord::Result::IndexedRow.new({"a" => 0}, ["1"])
          set = ::ActiveModel::AttributeSet::Builder.new(types).build_from_database(row, {})
          places = set.katsu_places(["a"])
          return false unless set.katsu_row(types, places) == ["1"] && set.katsu_casted == {} && own_class?(set)
          return false unless places.last.zero? && set.fetch_value("a") == 1 && set.katsu_casted == {"a" => 1}

          set.write_from_user("a", 2)
          set.katsu_row(types, places) == false
        end

        def own_class?(object)
          return false unless ::ObjectSpace.internal_class_of(object).equal?(object.class)

          object.define_singleton_method(:katsu) { nil }
          !::ObjectSpace.internal_class_of(object).equal?(object.class)
        end
      end
    end
  end
end
