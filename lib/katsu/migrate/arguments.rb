# frozen_string_literal: true

module Katsu
  module Migrate
    # The arguments of a call.
    class Arguments
      # positional: nodes. options: nodes by their Symbol. others: nodes of options with other keys, and splats. block:
      # a BlockNode, a BlockArgumentNode or nil.
      attr_reader :positional, :options, :others, :block

      def initialize(node)
        @positional = []
        @options = {}
        @others = []
        @block = node.block
        (node.arguments&.arguments || []).each { |argument| take(argument) }
      end

      # The Symbols of the positional arguments; nil for any other.
      def names
        @positional.map { |node| node.is_a?(::Prism::SymbolNode) ? node.unescaped : nil }
      end

      private

      def take(argument)
        return @positional << argument unless argument.is_a?(::Prism::KeywordHashNode)

        argument.elements.each do |pair|
          next @others << pair unless pair.is_a?(::Prism::AssocNode) && pair.key.is_a?(::Prism::SymbolNode)

          @options[pair.key.unescaped.to_sym] = pair.value
        end
      end
    end
  end
end
