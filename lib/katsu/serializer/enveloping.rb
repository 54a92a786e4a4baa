# frozen_string_literal: true

module Katsu
  class Serializer
    # What render writes around a document, as the class declares it.
    module Enveloping
      # Declares the key of render's documents: one for an object, many for a collection. nil or false: none, whatever a
      # parent says; then meta of a parent is written only if a call gives a root. Documents that are asked for
      # otherwise have no root. Returns nil. Raises ArgumentError.
      #
      #   root :post, :posts
      def root(one, many = one)
        refuse_in_view("root")
        @root = [one, many].map { |name| name ? Names.key(self, "root", name) : nil }.freeze
        nil
      end

      # Declares what render writes beside the document: a Hash, given or as pairs, or a block that gives one. The block
      # is given the objects, and the context if it takes two arguments, and is run in the serializer. meta: of render
      # is merged into it. nil or false: nothing, whatever a parent says. Returns nil. Raises ArgumentError.
      #
      #   meta { |posts| {total: posts.size} }
      def meta(*given, **pairs, &block)
        refuse_in_view("meta")
        given << pairs unless pairs.empty?
        given << block if block
        refuse_word("meta takes a Hash or a block") unless given.size == 1
        given = given[0] || false
        refuse_word("meta: #{given.inspect} is no Hash") unless block || !given || given.is_a?(Hash)
        @meta = block ? Call.define(self, block, 2, "meta") : Filters.frozen_copy(given)
        nil
      end
    end
  end
end
