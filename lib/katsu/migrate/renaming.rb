# frozen_string_literal: true

module Katsu
  module Migrate
    # The part of a Translator that gives new names to what code calls, and to the classes that it names.
    module Renaming
      private

      def new_name(name) = Migrate.serializer_name(name)

      # Other names for what code of the class calls.
      def new_calls = self.class::CALLS

      # Renames what code calls and the classes that it names.
      def rename(node)
        return if node.is_a?(::Prism::AssocNode) && spelled_out?(node)

        node.compact_child_nodes.each { |child| rename(child) }
        case node
        when ::Prism::CallNode
          called = new_calls[node.name] if own?(node.receiver) && node.arguments.nil?
          @source.replace(node.message_loc, called) if called
          rename_delegate(node) if node.name == :delegate && node.receiver.nil?
        when ::Prism::InstanceVariableReadNode
          called = new_calls[node.name.name.delete_prefix("@").to_sym]
          @source.replace(node, called) if called
        when ::Prism::ConstantReadNode then rename_constant(node, node)
        when ::Prism::ConstantPathNode then rename_constant(node, node.name_loc)
        end
      end

      # delegate :host, to: :params
      def rename_delegate(node)
        to = Arguments.new(node).options[:to]
        called = new_calls[to.unescaped.to_sym] if to.is_a?(::Prism::SymbolNode)
        @source.replace(to, ":#{called}") if called
      end

      # True of what a method of the class itself is called on.
      def own?(receiver) = receiver.nil? || receiver.is_a?(::Prism::SelfNode)

      # True for params: in the place of params: params, which now has its value.
      def spelled_out?(pair)
        called = new_calls[pair.key.unescaped.to_sym] if pair.value.is_a?(::Prism::ImplicitNode)
        return false unless called && pair.value.value.is_a?(::Prism::CallNode)

        finish = pair.location.end_offset
        @source.edit(finish, finish, " #{called}")
        true
      end

      def rename_constant(node, place)
        constant = self.class::CONSTANTS[node.slice.delete_prefix("::")]
        return @source.replace(node, constant) if constant
        # Another class, such as a model, may have the name in another module.
        return if node.is_a?(::Prism::ConstantPathNode) && !node.name.name.match?(OLD_NAME)

        @source.replace(place, @names[node.name.name]) if @names.key?(node.name.name)
      end
    end
  end
end
