# frozen_string_literal: true

module Katsu
  module Query
    # Loads the records of a relation as ActiveRecord does, with the same query and notifications. The SQL of the query
    # is kept; see RelationQuery.
    #
    # ActiveRecord sets two dozen instance variables of each record that it makes, all to the same values but for the
    # attributes and for Hashes that are empty. Without YJIT it is three times as fast to clone the first record and to
    # set only these. With YJIT it takes twice as long, so ActiveRecord makes all.
    module Loading
      # Parts of a query that decide which rows there are. Others change the records that are made of them.
      PLAIN = %i[select where order reordering limit offset joins left_outer_joins references distinct group having from
                 with annotate optimizer_hints skip_query_cache create_with reverse_order unscope].to_h do |name|
        [name, true]
      end.freeze
      # Methods that load and copy records, besides those that RelationChecks and ModelChecks look at.
      RELATION = %i[to_a exec_main_query instantiate_records].freeze
      COPYING = %i[initialize_clone initialize_copy clone].freeze
      private_constant :PLAIN, :RELATION, :COPYING

      class << self
        # An Array of records: the relation's own if it is loaded, otherwise those of a copy. The block gives the
        # Selection of its model.
        def records(relation)
          copy = RelationChecks.anew(relation)
          return copy.to_a if copy.equal?(relation) || !plain?(copy) || !(selection = yield).own_records?

          rows = kept_query_rows(copy, selection)
          return copy.to_a if rows.nil? && compiled?

          made(copy, rows || copy.send(:exec_main_query))
        end

        # True if only ActiveRecord's own code makes records of the model and copies them.
        def own?(model)
          Source::ReaderPatches.own_with_super?(model.instance_method(:init_internals)) &&
            ModelChecks.obstacles(model).empty? &&
            COPYING.all? { |name| model.instance_method(name).owner == ::Kernel } &&
            model.method(:allocate).owner == ::Class
        rescue ::NameError
          false
        end

        private

        def compiled?
          RUBY_ENGINE != "ruby" || (defined?(::RubyVM::YJIT.enabled?) && ::RubyVM::YJIT.enabled?)
        end

        def plain?(relation)
          relation.values.all? { |name, _| PLAIN.key?(name) } && !RelationChecks.association?(relation) &&
            !RelationChecks.overridden?(relation) && !RelationChecks.overridden?(relation, RELATION)
        end

        # The rows of the query if its SQL may be kept.
        def kept_query_rows(relation, selection)
          query = RelationQuery.of(relation, selection.statements, :records) { relation } or return
          model = relation.klass
          Drivers.with_connection(model) do |connection|
            Drivers.select_all(connection, query, "#{model.name} Load")
          end
        end

        def made(relation, rows)
          records = clones(relation.klass, rows) unless compiled? || !rows.is_a?(::ActiveRecord::Result)
          records || relation.send(:instantiate_records, rows)
        end

        # nil if ActiveRecord has to make the records: their rows say of which class they are.
        def clones(model, rows)
          return if rows.length < 2 || rows.includes_column?(model.inheritance_column)

          payload = {record_count: rows.length, class_name: model.name}
          ::ActiveSupport::Notifications.instrumenter.instrument("instantiation.active_record", payload) do
            first, *others = attribute_sets(model, rows)
            record = model.allocate.init_with_attributes(first)
            hashes = own_hashes(record)
            records = others.map do |set|
              hashes ? clone(record, set, hashes) : model.allocate.init_with_attributes(set)
            end
            records.unshift(record)
          end
        end

        def attribute_sets(model, rows)
          types = rows.column_types
          types = types.reject { |name, _| model.attribute_types.key?(name) } unless types.empty?
          builder = model.attributes_builder
          # From ActiveRecord 8.0 on a row need not be a Hash.
          rows = rows.respond_to?(:indexed_rows) ? rows.indexed_rows : rows.to_a
          rows.map { |row| builder.build_from_database(row, types) }
        end

        # The names of the variables in which each record has an empty Hash of its own; nil if another one may differ.
        def own_hashes(record)
          own = record.instance_variables.reject { |name| record.instance_variable_get(name).frozen? } - [:@attributes]
          own if own.all? { |name| {} == record.instance_variable_get(name) }
        end

        def clone(record, attributes, hashes)
          copy = record.clone
          copy.instance_variable_set(:@attributes, attributes)
          hashes.each { |name| copy.instance_variable_set(name, {}) }
          copy
        end
      end
    end
  end
end
