# frozen_string_literal: true

module Katsu
  module Migrate
    # Blueprinter. Whether an association is one object or many it does not say: the name decides.
    class Blueprinter < Translator
      WORDS = {
        identifier: :field, field: :field, fields: :fields, association: :association, view: :view,
        include_view: :include_view, include_views: :include_view, exclude: :exclude, excludes: :exclude,
        transform: :transform
      }.freeze
      RENDERING = %i[render render_as_hash render_as_json].freeze
      FIELDS = %i[association field fields identifier].freeze
      DECLARING = [*FIELDS, :include_view, :include_views].freeze
      OPTIONS = {
        name: :name, default: :default, exclude_if_nil: :omit_nil, datetime_format: :format
      }.freeze
      IRREGULAR = %w[children data media men people women].freeze
      private_constant :FIELDS, :DECLARING, :OPTIONS, :IRREGULAR

      # See Translator.
      def translate(node, parent)
        @class_methods = inherited(:class_methods, node.name.name)
        super
      end

      private

      # In Blueprinter self is the class in blocks and lambdas; in Katsu it is the serializer.
      def in_code(node)
        code = node.is_a?(::Prism::BlockNode) || node.is_a?(::Prism::LambdaNode)
        node.compact_child_nodes.each { |child| code ? call_on_class(child) : in_code(child) }
      end

      def call_on_class(node)
        from, to = node.location.start_offset, node.location.end_offset
        case node
        when ::Prism::SelfNode then @source.edit(to, to, ".class")
        when ::Prism::CallNode
          own = node.receiver.nil? && @class_methods.include?(node.name)
          @source.edit(from, from, "self.class.") if own
        end
        node.compact_child_nodes.each { |child| call_on_class(child) }
      end

      def field(node, arguments)
        in_code(node)
        refuse_extractor(arguments)
        take_conditions(arguments)
        options, reasons = carried(arguments, OPTIONS)
        options.merge!(conditions)
        leave_out_default_or_rule(arguments, options)
        reasons << "options[:view] has no counterpart" if reads_view?(arguments.block)
        block = block_argument(arguments) || given_object(code(arguments.block))
        write(node, "attribute", positional(arguments), options, block, reasons)
      end

      # The second parameter of a block are the options.
      def reads_view?(block)
        options = code(block)&.parameters.to_a[1]
        options && code(block).indexes?(options, "view")
      end

      # A field that has a default is not nil, unless that is its default.
      def leave_out_default_or_rule(arguments, options)
        return unless arguments.options.key?(:default) && arguments.options[:exclude_if_nil].is_a?(::Prism::TrueNode)

        options.delete(arguments.options[:default].is_a?(::Prism::NilNode) ? :default : :omit_nil)
      end

      def fields(node, arguments)
        return lose(node, "fields takes names only") if arguments.options.any? || arguments.others.any?

        @source.replace(node.message_loc, "attributes")
      end

      def association(node, arguments)
        in_code(node)
        refuse_extractor(arguments)
        take_conditions(arguments)
        options, reasons = carried(arguments, name: :name, view: :view, blueprint: :serializer)
        options.merge!(conditions)
        options[:serializer] = serializer(arguments.options[:blueprint])
        return lose(node, "its blueprint is not a class") unless options[:serializer]

        without_default_view(arguments, options, reasons)
        block = block_argument(arguments) || given_object(code(arguments.block), ["_object"])
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
        @view = nil
      end

      # Without it the class would not load.
      def in_view_only(node)
        throw :lost, "#{node.name} stands in a view" unless @view
      end

      # Blueprinter leaves out what stands below, too.
      def exclude(node, arguments)
        in_view_only(node)
        each_name(node, arguments) if node.name == :excludes
        return if calls(@view, DECLARING).none? { |call| call.location.start_offset > node.location.start_offset }

        note(node, "exclude is for what stands above it; Blueprinter leaves out what stands below it, too")
      end

      # In Blueprinter the fields of a view count more than those that it takes over.
      def include_view(node, arguments)
        in_view_only(node)
        each_name(node, arguments) if node.name == :include_views
        above = calls(@view, FIELDS).select { |call| call.location.start_offset < node.location.start_offset }
        taken = arguments.names.flat_map { |name| calls(body_of_view(name), FIELDS) }
        again = keys(above) & keys(taken)
        note(node, "it replaces what is above: #{again.join(", ")}; Blueprinter keeps that") if again.any?
      end

      def body_of_view(name)
        view = calls(@body, [:view]).find { |call| Arguments.new(call).names.first == name }
        view&.block.is_a?(::Prism::BlockNode) ? nodes(view.block.body) : []
      end

      def calls(nodes, words)
        nodes.to_a.grep(::Prism::CallNode).select { |call| call.receiver.nil? && words.include?(call.name) }
      end

      def keys(calls)
        calls.flat_map do |call|
          arguments = Arguments.new(call)
          arguments.options.key?(:name) ? arguments.options[:name].slice.delete(":\"'") : arguments.names.compact
        end
      end

      def plain_view?(arguments)
        arguments.names.size == 1 && arguments.names.first && arguments.options.empty? &&
          arguments.block.is_a?(::Prism::BlockNode) && !%w[default identifier].include?(arguments.names.first)
      end

      def each_name(node, arguments)
        return lose(node, "#{node.name} takes names only") if arguments.names.include?(nil)

        lines = arguments.names.map { |name| "#{node.name.name.chomp("s")} :#{name}" }
        rewrite(node, lines.join("\n#{@source.indent(node)}"))
      end

      def transform(node, arguments)
        text = positional(arguments).join(", ")
        return lose(node, "a transformer has no counterpart but for keys") unless text.match?(/lower_?camel/i)
        return lose(node, "a transformer of keys is for the whole class, not for a view") if @view

        @source.replace(node, "transform_keys :lower_camel")
        note(node, "#{text} is taken for one that makes keys lower camel case")
      end

      # What Blueprinter writes without view:. It has the view :identifier in each class, too.
      def without_default_view(arguments, options, reasons)
        view = arguments.options[:view]
        return unless view.is_a?(::Prism::SymbolNode) && %w[default identifier].include?(view.unescaped)

        options.delete(:view)
        reasons << "view: :identifier has no counterpart; name the field by only:" if view.unescaped == "identifier"
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
