# frozen_string_literal: true

module Katsu
  module Migrate
    # Blocks and lambdas: their parameters, and their text with others.
    class Code
      # node: a BlockNode or LambdaNode. source: its Source.
      def initialize(node, source)
        @node = node
        @source = source
      end

      # The code of a lambda, of proc { } or lambda { }, or of a block; nil for anything else.
      def self.of(node, source)
        node = node.block if node.is_a?(::Prism::CallNode) && %i[proc lambda].include?(node.name) && node.receiver.nil?
        new(node, source) if node.is_a?(::Prism::LambdaNode) || node.is_a?(::Prism::BlockNode)
      end

      # The names of required parameters; nil if there are any others.
      def parameters
        return [] if @node.parameters.nil?
        return unless @node.parameters.is_a?(::Prism::BlockParametersNode)

        given = @node.parameters.parameters
        return [] if given.nil?

        required = given.requireds.grep(::Prism::RequiredParameterNode)
        required.map { |parameter| parameter.name.name } if required.size == given.compact_child_nodes.size
      end

      # True of a block that calls its only parameter _1 or it.
      def implicit?
        type = @node.parameters&.type
        type == :it_parameters_node || (type == :numbered_parameters_node && @node.parameters.maximum == 1)
      end

      # The text, with the changes that are made in it.
      def text = @source.text(@node)

      # True if a local variable of that name is read.
      def reads?(name)
        any?(@node.body) { |node| node.is_a?(::Prism::LocalVariableReadNode) && node.name.name == name }
      end

      # True if the local variable of that name is indexed by that key, a Symbol.
      def indexes?(name, key)
        any?(@node.body) do |node|
          next false unless node.is_a?(::Prism::CallNode) && %i[[] fetch dig].include?(node.name)
          next false unless node.receiver.is_a?(::Prism::LocalVariableReadNode) && node.receiver.name.name == name

          index = node.arguments&.arguments&.first
          index.is_a?(::Prism::SymbolNode) && index.unescaped == key
        end
      end

      # True if a method of one of these names is called without a receiver.
      def calls?(*names)
        any?(@node.body) { |node| node.is_a?(::Prism::CallNode) && node.receiver.nil? && names.include?(node.name) }
      end

      # As a block with these parameters, which sets local variables first: a Hash from name to code.
      def block(parameters, variables = {})
        given = " |#{parameters.join(", ")}|" unless parameters.empty?
        braces? ? "{#{given}#{inner(variables)}}" : "do#{given}#{inner(variables)}end"
      end

      # As a lambda.
      def lambda(parameters, variables = {})
        given = "(#{parameters.join(", ")})" unless parameters.empty?
        "->#{given} #{braces? ? "{#{inner(variables)}}" : "do#{inner(variables)}end"}"
      end

      def braces?
        @node.opening_loc.slice == "{"
      end

      private

      def inner(variables)
        opening = @node.parameters || @node.opening_loc
        opening = @node.opening_loc if opening.respond_to?(:location) && before_opening?(opening)
        from = opening.respond_to?(:location) ? opening.location.end_offset : opening.end_offset
        body = @source.slice(from, @node.closing_loc.start_offset)
        lines = variables.filter_map { |name, code| "#{name} = #{code}" unless name == code }
        return body if lines.empty?
        return " #{lines.join("; ")};#{body}" unless body.start_with?("\n")

        indent = body[/\A\n\s*/]
        "#{lines.map { |line| "#{indent}#{line}" }.join}#{body}"
      end

      # The parameters of a lambda stand before its brace.
      def before_opening?(parameters)
        parameters.location.start_offset < @node.opening_loc.start_offset
      end

      def any?(node, &block)
        return false if node.nil?

        yield(node) || node.compact_child_nodes.any? { |child| any?(child, &block) }
      end
    end
  end
end
