# frozen_string_literal: true

require_relative "reflections"
require_relative "joined_scope"

module Katsu
  module Query
    # How the records of an association are found for many owners with one query: by which columns of the owners, in
    # which relation, and by which columns of the result.
    #
    # An association through others uses the reader's joins. The key of the table that is nearest to the owner is
    # selected as an extra column.
    class Link
      KEY = "katsu_key_"
      private_constant :KEY

      attr_reader :model, :reflection, :owner_keys

      def initialize(model, reflection)
        @model = model
        @reflection = reflection
        @owner_keys = Array(nearest.join_foreign_key).map(&:to_s)
        @child_keys = {}.compare_by_identity
      end

      def many? = @reflection.collection?
      def through? = @reflection.through_reflection?
      def polymorphic? = !through? && @reflection.belongs_to? && @reflection.polymorphic?

      # True if the condition on the key is the only one that the association adds to its model's scope.
      def simple? = !through? && @reflection.scope.nil? && @reflection.type.nil?

      # The column that names the class of a polymorphic association's record.
      def type_column = @reflection.foreign_type.to_s

      # The columns of the result that have the keys. klass: the model of the records.
      def child_keys(klass)
        @child_keys[klass] ||= if through? then Array.new(@owner_keys.size) { |index| "#{KEY}#{index}" }
                               else Array(@reflection.join_primary_key(klass)).map(&:to_s)
                               end
      end

      # The types of those that are no columns of klass, by name.
      def key_types(klass)
        return {} unless through?

        types = Array(nearest.join_primary_key).map { |name| nearest.klass.type_for_attribute(name) }
        child_keys(klass).zip(types).to_h
      end

      # The relation of the records that belong to owners with these keys, and what it selects besides the records'
      # columns. keys: an Array of values, or of tuples if there are several columns; nil stands for any, as "IN (...)".
      def relation(klass, keys)
        return [Reflections.relation(@model, @reflection, klass, keys), []] unless through?

        relation, attributes = JoinedScope.of(@model, @reflection, keys)
        [relation, attributes.zip(child_keys(klass)).map { |attribute, name| attribute.as(name) }]
      end

      private

      # The reflection that leads to the owner.
      def nearest = @reflection.chain.last
    end
  end
end
