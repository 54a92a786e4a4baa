# frozen_string_literal: true

# The rows of relations in the form that a plan's generate_table takes: what Katsu::Query::Table is, without its
# planning.
module Tables
  Table = Struct.new(:model, :columns, :types, :rows, :edges) do
    def size = rows.size

    # Counts what is made for method fields and readers.
    def row_object(index) = record(index).tap { Tables.made[:row_object] += 1 }

    def record(index)
      values = columns.transform_values do |position|
        rows.respond_to?(:value) ? rows.value(index, position) : rows[index][position]
      end
      model.instantiate(values, types.except(*model.attribute_types.keys))
    end
  end

  Edge = Struct.new(:table, :key, :child_key, :many)

  def self.made = @made ||= Hash.new(0)

  # rows: the relation's, or what the block makes of the relation.
  def table(relation, edges = {})
    result = relation.model.connection.select_all(relation.to_sql)
    columns = result.columns.each_with_index.to_h.freeze
    types = relation.model.attribute_types.to_h.merge(result.column_types.except(*relation.model.attribute_types.keys))
    Table.new(relation.model, columns, types, block_given? ? yield(relation) : result.rows, edges)
  end

  # The children by the columns of those names.
  def edge(child, parent_columns, child_columns, parent:, many: false)
    Edge.new(child, positions(parent, parent_columns), positions(child, child_columns), many)
  end

  private

  def positions(table, names)
    names.is_a?(Array) ? names.map { |name| table.columns.fetch(name) } : table.columns.fetch(names)
  end
end
