# frozen_string_literal: true

module Katsu
  module Migrate
    # A class that is assigned to a constant, XSerializer = Class.new(Parent) do ... end, with what a ClassNode has.
    class AssignedClass
      CLASS = /\A(?:::)?Class\z/
      private_constant :CLASS

      # The AssignedClass of a node; nil if it is none.
      def self.of(node)
        return unless node.is_a?(::Prism::ConstantWriteNode) || node.is_a?(::Prism::ConstantPathWriteNode)

        call = node.value
        new(node, call) if call.is_a?(::Prism::CallNode) && call.name == :new && call.receiver&.slice&.match?(CLASS)
      end

      def initialize(node, call)
        @node = node
        @call = call
      end

      def name = path? ? @node.target.name : @node.name
      def constant_path = path? ? @node.target : @node.name_loc
      def superclass = @call.arguments&.arguments&.first
      def body = (@call.block.body if @call.block.is_a?(::Prism::BlockNode))
      def compact_child_nodes = @node.compact_child_nodes

      # Where a superclass is put in if there is none, and how.
      def place_of_superclass
        opening = @call.opening_loc
        opening ? [opening.end_offset, "%s"] : [@call.message_loc.end_offset, "(%s)"]
      end

      private

      def path? = @node.is_a?(::Prism::ConstantPathWriteNode)
    end
  end
end
