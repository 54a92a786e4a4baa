# frozen_string_literal: true

module Katsu
  module Migrate
    # Blueprinter. Whether an association is one object or many it does not say: the name decides.
    class Blueprinter < Translator
      WORDS = {
        identifier: :field, field: :field, fields: :fields, association: :association, view: :view,
        include_view: :same, include_views: :each_name, exclude: :exclude, excludes: :exclude, transform: :transform
      }.freeze
      DECLARING = %i[association field fields identifier include_view include_views].freeze
      OPTIONS = {
        name: :name, default: :default, exclude_if_nil: :omit_nil, datetime_format: :format
      }.freeze
      IRREGULAR = %w[children data media men people women].freeze
      private_constant :DECLARING, :OPTIONS, :IRREGULAR

      private

      def same(*) = nil

      def field(node, arguments)
        refuse_extractor(arguments)
        take_conditions(arguments)
        options, reasons = carried(arguments, OPTIONS)
        options.merge!(conditions)
        write(node, "attribute", positional(arguments), options, given_object(code(arguments.block)), reasons)
      end

      def fields(node, arguments)
        return lose(node, "fields takes names only") if arguments.options.any? || arguments.others.any?

        @source.replace(node.message_loc, "attributes")
      end

      def association(node, arguments)
        refuse_extractor(arguments)
        take_conditions(arguments)
        options, reasons = carried(arguments, name: :name, view: :view, blueprint: :serializer)
        options.merge!(conditions)
        options[:serializer] = serializer(arguments.options[:blueprint])
        return lose(node, "its blueprint is not a class") unless options[:serializer]

        block = given_object(code(arguments.block), ["_object"])
        word = many?(arguments.names.first) ? "has_many" : "has_one"
        write(node, word, positional(arguments), {serializer: nil, **options}, block, reasons)
      end

      def many?(name)
        name = name.to_s
        IRREGULAR.include?(name) || (name.end_with?("s") && !name.end_with?("ss", "us", "is"))
      end

      def view(node, arguments)
        return lose(node, "a view of that name means something else") unless plain_view?(arguments)

        @view = nodes(arguments.block.body)
        statements(arguments.block.body)
      end

      # Blueprinter leaves out what stands below, too.
      def exclude(node, arguments)
        each_name(node, arguments) if node.name == :excludes
        below = @view.to_a.grep(::Prism::CallNode).select { |call| call.location.start_offset > node.location.start_offset }
        return unless below.any? { |call| call.receiver.nil? && DECLARING.include?(call.name) }

        note(node, "exclude is for what stands above it; Blueprinter leaves out what stands below it, too")
      end

      def plain_view?(arguments)
        arguments.names.size == 1 && arguments.names.first && arguments.options.empty? &&
          arguments.block.is_a?(::Prism::BlockNode) && !%w[default identifier].include?(arguments.names.first)
      end

      def each_name(node, arguments)
        return lose(node, "#{node.name} takes names only") if arguments.names.include?(nil)

        lines = arguments.names.map { |name| "#{node.name.name.chomp("s")} :#{name}" }
        @source.replace(node, lines.join("\n#{@source.indent(node)}"))
      end

      def transform(node, arguments)
        text = arguments.positional.map { |name| @source.text(name) }.join(", ")
        return lose(node, "a transformer has no counterpart but for keys") unless text.match?(/lower_?camel/i)

        @source.replace(node, "transform_keys :lower_camel")
        note(node, "#{text} is taken for one that makes keys lower camel case")
      end

      def positional(arguments)
        [*arguments.positional, *[arguments.block].grep(::Prism::BlockArgumentNode)].map { |node| @source.text(node) }
      end

      # Without it the value would be another one.
      def refuse_extractor(arguments)
        node = arguments.options[:extractor]
        throw :lost, "extractor: #{node.slice} has no counterpart" if node
      end

      # Apart from the other options.
      def take_conditions(arguments)
        @conditions = arguments.options.slice(:if, :unless)
        @conditions.each_key { |name| arguments.options.delete(name) }
      end

      def conditions
        @conditions.to_h { |name, node| [name, condition(name, node)] }
      end

      # A lambda of the field's name, the object and the options.
      def condition(name, node)
        code = code(node)
        parameters = code&.parameters
        unknown = parameters.nil? || parameters.size > 3 || (parameters.any? && code.reads?(parameters[0]))
        lose_condition(name, node) if unknown
        context = parameters[2]
        code.lambda(parameters[1, 1].to_a, context && code.reads?(context) ? {context => "context"} : {})
      end
    end
  end
end
