# frozen_string_literal: true

require_relative "../cast"
require_relative "probe"
require_relative "model_watch"
require_relative "reader_patches"

module Katsu
  module Source
    NOT_LOADED = "not loaded that column; select it too"

    # ActiveRecord models: columns are written by their casts, loaded associations are read from the record; everything
    # that a model overrides, and everything else, by public methods. A private reader of a column is called, too, as
    # as_json does.
    module RecordSource
      PROBING = Mutex.new
      private_constant :PROBING

      class << self
        # See Source.bind.
        def bind(plan, klass)
          probe
          AsJson::Overrides.watch
          ModelWatch.watch(klass)
          klass.define_attribute_methods
          accesses = plan.steps.map { |step| step.plan ? association(klass, step) : attribute(klass, step.name) }
          [RECORD, klass.attribute_types, accesses]
        end

        # See Source.read. Also for what only this record has: columns named in select, attributes without a column.
        def read(serializer, record, name)
          klass = record.class
          return record.public_send(name) if klass.public_method_defined?(name) || record.respond_to?(name)

          return record.__send__(name) if private_reader?(klass, name)
          raise UnknownAttributeError.new(serializer, name, record) unless record.has_attribute?(name.name)

          record[name]
        rescue ::ActiveModel::MissingAttributeError => e
          refuse_missing(serializer, record, name, e)
        end

        # The name of the JSON column that an attribute is, if the model's reader is ActiveRecord's own.
        def json_column(klass, name)
          column = klass.attribute_aliases[name.name] || name.name
          column if Cast::Json.for?(klass.attribute_types[column]) && column(klass, name)
        end

        # See Source.refuse_missing.
        def refuse_missing(serializer, record, name, error, path = nil)
          raise error unless error.is_a?(::ActiveModel::MissingAttributeError)
          raise error if own_reader_of_column?(record.class, name) || record.singleton_methods.include?(name)

          raise UnknownAttributeError.new(serializer, name, record, path, NOT_LOADED)
        end

        # True if a record's values are read from where ActiveRecord keeps them.
        def rows?
          probe
          @rows
        end

        # Tells the native backend which classes hold a loaded record's values, once ActiveRecord is loaded and if a
        # record made for it reads the same both ways; from then on it is told when settings change.
        def probe
          return if @probed || !defined?(Native)

          PROBING.synchronize { @probed ||= probe_once } # no thread goes on before all is known
        end

        # The model's association of that name, or nil. reflect_on_association keeps what it found once: it misses what
        # a parent of the class declares later.
        def reflection(klass, name)
          found = klass._reflect_on_association(name)
          parent = found&.parent_reflection or return found # of has_and_belongs_to_many, or of its join table

          parent if parent.name == name.to_sym
        end

        # True if the model's reader of a column or association is ActiveRecord's own, so that rows give the same.
        def own_reader_of?(klass, name)
          klass.define_attribute_methods
          reflection = reflection(klass, name)
          return own_reader?(klass, name, reflection) if reflection

          klass.public_method_defined?(name) && !own_reader_of_column?(klass, name)
        end

        # True if the model has a column of that name and a private or protected method instead of its reader.
        def private_reader?(klass, name)
          return false unless klass.private_method_defined?(name) || klass.protected_method_defined?(name)
          return false unless klass.has_attribute?(name)

          !(::ActiveRecord::Base <= klass.instance_method(name).owner)
        end

        # The name of the column that the public method of that name reads; nil if it does anything else.
        def column(klass, name)
          klass.define_attribute_methods
          access = attribute(klass, name)
          access.column if access.how == COLUMN && klass.columns_hash.key?(access.column)
        end

        private

        def probe_once
          TimeFormat.watch
          ReaderPatches.watch
          row = defined?(::ActiveRecord::Result::IndexedRow) ? ::ActiveRecord::Result::IndexedRow : nil
          attribute = ::ActiveModel::Attribute
          Native.row_classes = [::ActiveModel::LazyAttributeSet, row, ::ActiveModel::AttributeSet,
                                attribute.const_get(:FromDatabase), attribute.const_get(:FromUser)]
          return true if (@rows = Probe.passes?)

          Native.row_classes = []
          warn "katsu: ActiveRecord #{::ActiveRecord.version} keeps a record's values in a way that is not known; " \
               "public readers are used, which is slower"
          true
        end

        def attribute(klass, name)
          column = klass.attribute_aliases[name.name] || name.name
          return Access.new(DYNAMIC, -name.name) unless klass.public_method_defined?(name)
          type = klass.attribute_types.key?(column) ? klass.attribute_types[column] : nil
          return Access.new(METHOD, -name.name) unless type && generated?(klass, name, column)

          Access.new(COLUMN, klass.columns_hash[column]&.name || -column, cast: Cast.number(type))
        end

        # True for a method of the model: what it lacks may be another column than the one of its name.
        def own_reader_of_column?(klass, name)
          return private_reader?(klass, name) unless klass.public_method_defined?(name)

          !generated?(klass, name, klass.attribute_aliases[name.name] || name.name)
        end

        # True if the model's reader is ActiveRecord's own, so that reading the column gives the same.
        def generated?(klass, name, column)
          return false unless klass.instance_method(:_read_attribute).owner == ::ActiveRecord::AttributeMethods::Read

          owner = klass.instance_method(name).owner
          return klass.primary_key == "id" if owner == ::ActiveRecord::AttributeMethods::PrimaryKey && column == "id"

          owner.is_a?(::ActiveRecord::AttributeMethods::GeneratedAttributeMethods)
        end

        def association(klass, step)
          return Access.new(DYNAMIC, -step.name.name) unless klass.public_method_defined?(step.name)

          reflection = reflection(klass, step.name)
          own = reflection && own_reader?(klass, step.name, reflection)
          return Access.new(METHOD, -step.name.name) unless own && reflection.collection? == (step.kind == :has_many)

          stale = staleness(reflection)
          key = stale == STALE_BY_KEY ? reflection.foreign_key.to_s : step.name.name
          Access.new(ASSOCIATION, -key, staleness: stale)
        end

        # True if the model's reader is ActiveRecord's own, and only finds the target.
        def own_reader?(klass, name, reflection)
          klass.instance_method(name).owner.name.to_s.end_with?("GeneratedAssociationMethods") &&
            !broken?(reflection) && !deprecated?(reflection) && ReaderPatches.own_association?(klass, reflection)
        end

        # True if the association leads through one that does not exist, or to one: its reader raises ActiveRecord's
        # error.
        def broken?(reflection)
          reflection.through_reflection? && (reflection.through_reflection.nil? || reflection.source_reflection.nil?)
        end

        # True if the association's reader reports each use (Rails 8.1).
        def deprecated?(reflection)
          return false unless reflection.respond_to?(:deprecated?)

          reflection.deprecated? || (reflection.through_reflection? && reflection.deprecated_nested_reflections.any?)
        end

        def staleness(reflection)
          return STALE_UNKNOWN if reflection.through_reflection? || reflection.polymorphic?
          return STALE_UNKNOWN if reflection.foreign_key.is_a?(Array)

          reflection.belongs_to? ? STALE_BY_KEY : STALE_NEVER
        end
      end
    end
  end
end
