# frozen_string_literal: true

module Katsu
  module Query
    # Which associations have objects that know the record they belong to. When ActiveRecord loads the objects, it
    # gives them this owner (inverse_of), without a query and whatever the owner's scopes say. So the owner has to be a
    # record if the objects write it, or if the objects are records, as their methods may read it.
    class Owners
      # At most so many Selections are looked at. If there are more, all objects are taken to know their owner.
      LIMIT = 1000
      private_constant :LIMIT

      def initialize(selection)
        @links = {}
        @records = {}
        @met = []
        @limited = false
        look(selection)
        @others = @met.drop(1)
        nil while spread
      end

      # False after a change of one of the models that the associations lead to. The Selection itself was looked at when
      # it was found.
      def fresh? = @others.all?(&:fresh?)

      # [[association, its inverse], ...] of the Selection.
      def known(selection)
        @links.fetch(selection.identity).filter_map { |link| link.first(2) if known?(link) }
      end

      private

      # Associations may lead back, so each Selection is looked at once.
      def look(selection)
        return if @links.key?(selection.identity)
        return @limited = true if @links.size == LIMIT

        @met << selection
        @links[selection.identity] = links = []
        @records[selection.identity] = true if selection.own_obstacles.any?
        selection.associations.each_value do |association|
          inverse = Reflections.inverse(association.reflection)
          links << link(selection, association, inverse) if inverse
        end
      end

      # [association, inverse, the identity of the Selection of the objects, or true if they know their owner]
      def link(selection, association, inverse)
        return [association, inverse, true] if association.steps.any? { |step| code?(step, association) }

        objects = selection.below(association)
        look(objects)
        [association, inverse, objects.associations.key?(inverse.name) || objects.identity]
      end

      # True if the objects are records whatever their plan reads, and code may ask them for their owner: that of a key,
      # or a reader of a subclass.
      def code?(step, association)
        return true if step.plan.is_a?(Plan::Polymorphic)
        return false unless step.object_key

        klass = association.reflection.klass
        klass.columns_hash.key?(klass.inheritance_column) || step.object_key.column(step.plan, klass).nil?
      end

      def known?((_, _, objects))
        @limited || objects == true || @records.key?(objects)
      end

      # Owners of records that know them are records. True if there are more than before.
      def spread
        rows = @links.reject { |identity, _| @records.key?(identity) }
        more = rows.select { |_, links| links.any? { |link| known?(link) } }
        more.each_key { |identity| @records[identity] = true }
        more.any?
      end
    end
  end
end
