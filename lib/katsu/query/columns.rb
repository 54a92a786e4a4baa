# frozen_string_literal: true

module Katsu
  module Query
    # The columns of a model that are read, in the table's order.
    class Columns
      # True of id, of a model whose primary key is another column, or has several columns: it is an Array of them.
      def self.key_id?(model, name)
        key = model.primary_key
        name == "id" && (key.is_a?(Array) || (!key.nil? && !model.columns_hash.key?(name)))
      end

      def initialize(model)
        @model = model
        @known = model.columns_hash
        @names = {}
      end

      # Adds a column, or the columns of a composite key. False if there is none of that name.
      def add(name)
        return name.map { |part| add(part) }.all? if name.is_a?(Array)
        return false unless name && @known.key?(name.to_s)

        @list = nil
        @names[name.to_s] = true
      end

      def names
        @list ||= @known.keys.select { |name| @names.key?(name) }.freeze
      end

      # The types of their values, by name.
      def types
        @model.attribute_types.slice(*@names.keys)
      end

      # True if the values are read by types that do the same; a subclass has objects of its own.
      def types_alike?(columns)
        theirs = columns.types
        types.size == theirs.size && types.all? { |name, type| same?(type, theirs[name]) }
      end

      private

      # A type of serialized columns is not == to another one.
      def same?(one, other)
        return true if one.equal?(other) || one == other
        return false unless one.class.equal?(other.class) && one.respond_to?(:deserialize)

        names = Kernel.instance_method(:instance_variables).bind_call(one)
        get = Kernel.instance_method(:instance_variable_get)
        names.any? && names.all? { |name| same?(get.bind_call(one, name), get.bind_call(other, name)) }
      end
    end
  end
end
