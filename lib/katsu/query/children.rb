# frozen_string_literal: true

module Katsu
  module Query
    # The objects of one association of a table's rows: rows if the plans allow it, otherwise records, with one query
    # for all parents; of a polymorphic association one for each class.
    class Children
      # rows: the Rows that reads them. selection: the parents'.
      def initialize(rows, reading, parent, selection, association, depth)
        @rows = rows
        @reading = reading
        @parent = parent
        @selection = selection
        @association = association
        @steps = association.steps.select { |step| depth.allows?(step) }
        @outer = depth
        @depth = depth.through(@steps)
        @link = Link.new(selection.model, association.reflection)
      end

      # The Edge or ObjectEdge; nil if no step reads the association here.
      def edge
        return if @steps.empty? && @association.needs.empty?
        return polymorphic_edge if @link.polymorphic?

        keys = keys_of(@parent, @link.owner_keys)
        return edge_to_nothing if keys.empty?

        klass = @association.reflection.klass
        table = table_of(klass, keys)
        return Edge.new(@parent, @link.owner_keys, table, @link.child_keys(klass), @link.many?) if table

        ObjectEdge.new(@parent, @link.owner_keys, records(klass, keys), @link.many?)
      end

      private

      # If no row has a key, there is no query. A step that does not write rows, as with by:, looks for objects.
      def edge_to_nothing
        return ObjectEdge.new(@parent, @link.owner_keys, [], @link.many?) unless rows?

        Edge.new(@parent, @link.owner_keys, nil, [], @link.many?)
      end

      # The different keys of rows, an Array of values or of tuples.
      def keys_of(table, names)
        return table.keys(names[0]) if names.size == 1

        table.different(names).reject { |tuple| tuple.include?(nil) }
      end

      def polymorphic_edge
        names = [@link.type_column, *@link.owner_keys]
        by_type = @parent.different(names).group_by(&:first).reject { |type, _| type.to_s.empty? }
        found = by_type.flat_map { |type, tuples| of_type(type, tuples.map(&:last).compact) }
        ObjectEdge.new(@parent, names, found, false)
      end

      # [[[name, key], object], ...] of the class of that name.
      def of_type(name, keys)
        klass = class_for(name)
        return [] if keys.empty?

        @rows.give_up if !same_type?(klass) || Reflections.inverse?(@association.reflection, klass) ||
                         (Reflections.default_parts(klass) & Reflections::LIMITS).any?
        table = table_of(klass, keys) if row_objects?(klass)
        found = table ? keyed(table, table.row_objects) : records(klass, keys)
        found.map { |tuple, object| [[name, *tuple], object] }
      end

      # If no class has that name, records have to be read: the reader of a record raises then, even if its key is nil,
      # but only readers of records that are written are called.
      def class_for(name)
        @selection.model.polymorphic_class_for(name)
      rescue ::NameError
        @rows.give_up
      end

      def same_type?(klass)
        key = @association.reflection.join_primary_key(klass)
        !key.is_a?(Array) && klass.type_for_attribute(key).type ==
          @selection.model.type_for_attribute(@link.owner_keys[0]).type
      end

      # Row objects are written by their readers, of which the native backend does not know a JSON column's text.
      def row_objects?(klass)
        rows? && !(defined?(Native) && below(klass).json?)
      end

      def rows? = @steps.all?(&:rows?)

      def below(klass)
        @selection.below(@association, @steps, klass)
      end

      # The Table of children; nil if records are needed.
      def table_of(klass, keys)
        return unless rows? && (selection = below(klass)).obstacles.empty?

        names = @link.through? ? [] : @link.child_keys(klass)
        relation, more = key_query(selection, keys, names) || relation(klass, keys)
        table = @rows.attempt do
          @rows.table(relation, selection, names, @depth, more, @link.key_types(klass)) do |made|
            note_written(made, selection, keys)
          end
        end
        table || (known_owner? ? @rows.give_up : nil)
      end

      # True if ActiveRecord gives the objects their owner, which is a record then. See Owners, which knows of it unless
      # rows turn out to need records.
      def known_owner? = !Reflections.inverse(@association.reflection).nil?

      # See Reflections.by_column. A has_one may have found more than one row of a key.
      def note_written(table, selection, keys)
        several = @link.owner_keys.size > 1 && !@link.polymorphic?
        return if selection.associations.empty? || !(several || @association.reflection.has_one?)

        table.note_written(@link.child_keys(table.model), (keys if several), @link.many?)
      end

      # The query for rows as it was built before, with these keys; nil if it has to be built.
      def key_query(selection, keys, names)
        klass = selection.model
        return unless @link.simple? && names.size == 1 && klass.global_current_scope.nil?

        scope = checked(klass.scope_for_association)
        query = KeyQuery.of(scope, keys, names[0], selection.key_queries) do
          Rows.narrowed(relation(klass, keys)[0], selection, names)
        end
        [query, []] if query
      end

      # A scope may be another one now.
      def relation(klass, keys)
        @link.relation(klass, keys).tap { |relation, _| checked(relation) }
      end

      def checked(relation)
        limits = RelationChecks.parts(relation) & Reflections::LIMITS
        limits.empty? && RelationChecks.obstacles(relation).empty? ? relation : @rows.give_up
      end

      # [[key, record], ...]
      def records(klass, keys)
        relation, = relation(klass, keys)
        found = @link.through? ? JoinedRecords.new(@rows, @link, keys).pairs : loaded(relation, klass)
        found = of_these(found, keys) if @link.owner_keys.size > 1
        found.each { |_, record| record.strict_loading! } if @rows.strict?
        Preload.new(@reading, strict: @rows.strict?).load_below(found.map(&:last), @association, @steps, @outer)
        found
      end

      # Without those of other keys; see Reflections.by_column.
      def of_these(found, keys)
        wanted = keys.to_h { |key| [key, true] }
        found.select { |key, _| wanted.key?(key) }
      end

      def loaded(relation, klass)
        names = @link.child_keys(klass)
        relation.to_a.map { |record| [names.map { |name| record._read_attribute(name) }, record] }
      end

      def keyed(table, objects)
        table.size.zero? ? [] : table.tuples(@link.child_keys(table.model)).zip(objects)
      end
    end
  end
end
