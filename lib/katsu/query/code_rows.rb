# frozen_string_literal: true

require_relative "code_reads"
require_relative "row"

module Katsu
  module Query
    # The fields of a plan whose code is given a row object in the place of a loaded record: its readers take a fraction
    # of the time of the record's. The code reads nothing but columns, and those whose values are quickly made: a record
    # makes a value once, a row object each time.
    #
    # Only the native backend does so, which puts the values of each record into the same row object.
    module CodeRows
      CASTS = %i[string integer float boolean].freeze
      # As many columns, and the steps up to this one, as ext/katsu/plans/code_row.c has bits for.
      COLUMNS = 8
      STEPS = 64
      # As many serializers, and models, as are kept.
      LIMIT = 256
      # What is known of a field: {name of a reader => name of its column}, and what that depends on.
      Field = Struct.new(:readers, :code, :types, :serial) do
        def fresh?(now) = types.equal?(now) && serial == AsJson::Overrides.serial && code.fresh?
      end
      NONE = {}.freeze
      private_constant :CASTS, :COLUMNS, :STEPS, :LIMIT, :Field, :NONE

      @fields = Findings.new(LIMIT) # filters make many plans of a serializer
      @classes = Findings.new(LIMIT)
      @lock = Mutex.new

      class << self
        # [a subclass of Row, [[name of a column, its position, whether its values can change in place], ...], a bit for
        # each step]; nil if there is no such field. types: of the model's columns, by name.
        def of(plan, model, types)
          return unless Ractors.main? && model.attribute_types.equal?(types)

          readers = {}
          steps = plan.steps.first(STEPS).each_with_index.sum do |step, index|
            read = code?(step) ? field(plan.serializer, step, model, types).readers : NONE
            take(readers, read) ? 1 << index : 0
          end
          [*rows(model, readers, types), steps] unless steps.zero?
        end

        # Forgets all.
        def forget
          [@fields, @classes].each(&:clear)
        end

        private

        # Code that is one call: after another one of the same step the record may have other values.
        def code?(step)
          step.plan.nil? && [step.call, *step.conditions].compact.size == 1
        end

        def field(serializer, step, model, types)
          key = [model, (step.call || step.conditions[0].call).name]
          found = @fields.find(serializer, key)
          return found if found&.fresh?(types)

          serial = AsJson::Overrides.serial
          code = CodeReads.new(serializer, step, model, columns_only: true)
          @fields.store(serializer, key, Field.new(readers(code, model, types), code, types, serial))
        end

        # None if the code may do anything else.
        def readers(code, model, types)
          tree = code.tree || NONE
          code.watch
          readers = tree.to_h { |name, _| [name.name, model.attribute_aliases[name.name] || name.name] }
          code.fresh? && readers.each_value.all? { |name| CASTS.include?(cast(types[name])) } ? readers : NONE
        rescue ::StandardError
          NONE # the record's reader raises the same, with the field's path
        end

        def take(readers, read)
          all = readers.merge(read)
          return false if read.empty? || all.values.uniq.size > COLUMNS

          readers.replace(all)
        end

        def rows(model, readers, types)
          row_class = row_class(model, types)
          @lock.synchronize { readers.each { |reader, name| row_class.add_reader(reader, name) } }
          columns = readers.values.uniq
          [row_class, columns.map { |name| [name, row_class.position(name), Cast.mutable?(cast(types[name]))] }]
        end

        def row_class(model, types)
          known, row_class = @classes.find(model, :class)
          return row_class if types.equal?(known)

          @classes.store(model, :class, [types, Row.of_readers(model, types)]).last
        end

        def cast(type) = Cast.name_of(Cast.number(type))
      end
    end
  end
end
