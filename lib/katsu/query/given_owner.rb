# frozen_string_literal: true

module Katsu
  module Query
    # The author of author.posts, if the posts write it. ActiveRecord gives it to them as it is in memory: with its
    # changes, with the columns of its select, with methods of its own. So rows of posts have this very record too.
    class GivenOwner
      # nil if the owner is not read.
      def self.of(relation, selection)
        inverse = RelationChecks.inverse(relation)
        read = selection.associations[inverse.name] if inverse
        new(relation.proxy_association, selection, read) if read
      end

      # association: ActiveRecord's, of the owner. read: the Selection's Association by which it is read.
      def initialize(association, selection, read)
        @owner = association.owner
        @reflection = association.reflection
        @selection = selection
        @read = read
      end

      def obstacles
        rows? ? [] : [[@read.name, *Reasons::OWNER]]
      end

      # Gives the rows of the table their owner. False if one has another owner: a query may find it anywhere.
      def give(table, preload)
        return true if table.size.zero?

        key = [@owner.id]
        return false unless table.different([foreign_key]) == [key]

        preload.load_below([@owner], @read, @read.steps, Depth::NONE)
        table.edges[@read.name] = ObjectEdge.new(table, [foreign_key], [[key, @owner]], false)
      end

      private

      def foreign_key = @reflection.join_primary_key.to_s

      # ActiveRecord compares the owner's id. The owner's association is not read again if it is loaded for records.
      def rows?
        [foreign_key] == Reflections.owner_keys(@read.reflection).map(&:to_s) &&
          @reflection.join_foreign_key.to_s == @owner.class.primary_key &&
          @read.steps.all?(&:rows?) && !@selection.below(@read).associations.key?(@reflection.name)
      end
    end
  end
end
