# frozen_string_literal: true

module Katsu
  module Migrate
    # Panko's words are Katsu's. But Panko calls a method only for an attribute that is declared before it.
    class Panko < Translator
      WORDS = {
        attributes: :attributes, aliases: :attributes, has_one: :association, has_many: :association, include: :mixin
      }.freeze
      CONSTANTS = {
        "Panko::Serializer" => "Katsu::Serializer", "Panko::ArraySerializer" => "Katsu::ArraySerializer",
        "Panko::Response" => "Katsu::Response", "Panko::ObjectWriter" => "Katsu::ObjectWriter"
      }.freeze
      OPTIONS = %i[serializer each_serializer name only except].to_h { |name| [name, name] }.freeze
      JSON_VALUE = %w[Panko::JsonValue ::Panko::JsonValue].freeze
      private_constant :OPTIONS, :JSON_VALUE

      private

      def attributes(node, _arguments)
        note(node, *methods_of_parents(declared(node)))
      end

      def mixin(node, _arguments)
        note(node, "Katsu calls methods of modules for attributes of their names; Panko does not")
      end

      def method(node)
        super
        return unless node.receiver.nil?

        note_association(node)
        return unless declared_after?(node)

        note(node, "Katsu calls #{node.name} for its attribute; Panko does not, as the attribute is declared below")
      end

      # True if an attribute of a method's name is declared below the method, and not above it.
      def declared_after?(method)
        declaring = @body.grep(::Prism::CallNode).select { |call| declared(call).include?(method.name.name) }
        declaring.any? && declaring.all? { |call| call.location.start_offset > method.location.start_offset }
      end

      # The names that a call of attributes or aliases declares.
      def declared(call)
        return [] unless call.receiver.nil? && %i[attributes aliases].include?(call.name)

        arguments = Arguments.new(call)
        names = arguments.positional.grep(::Prism::SymbolNode) + arguments.positional.grep(::Prism::StringNode)
        names.map(&:unescaped) + arguments.options.keys.map(&:name)
      end

      def association(node, arguments)
        options, reasons = carried(arguments, OPTIONS)
        options.delete(:only) if empty_list?(arguments.options[:only])
        %i[serializer each_serializer].each do |name|
          options[name] = serializer(arguments.options[name]) || options[name] if options.key?(name)
        end
        write(node, node.name, positional(arguments), options, nil, reasons)
      end

      # For Panko only: [] is no filter, for Katsu it leaves out everything.
      def empty_list?(node)
        node.is_a?(::Prism::ArrayNode) && node.elements.empty?
      end

      def rename(node)
        super
        return unless node.is_a?(::Prism::CallNode) && JSON_VALUE.include?(node.receiver&.slice) && node.name == :from

        @source.replace(node.receiver, "Katsu::Fragment")
        @source.replace(node.message_loc, "new")
      end
    end
  end
end
