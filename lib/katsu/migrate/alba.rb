# frozen_string_literal: true

module Katsu
  module Migrate
    # Alba.
    class Alba < Translator
      WORDS = {
        include: :mixin, attributes: :attributes, attribute: :attribute, one: :association, has_one: :association,
        association: :association, many: :association, has_many: :association, trait: :trait, nested: :nested,
        nested_attribute: :nested, root_key: :root_key, meta: :meta, transform_keys: :transform_keys,
        on_error: :on_error, collection_key: :collection_key
      }.freeze
      CALLS = {params: "context"}.freeze
      NEVER_CALLED = %i[attributes collection_converter converter select serializable_hash to_json].freeze
      ON_ERROR = {"raise" => ":raise", "ignore" => ":skip", "nullify" => ":null"}.freeze
      # Alba converts nil, too.
      CASTS = {
        "String" => "type: :string, default: \"\"", "Integer" => "type: :integer",
        "Boolean" => "type: :boolean, default: false"
      }.freeze
      NOT_SO = {
        "Integer" => "Alba raises an error for nil and for a text that is no number; Katsu writes null or 0",
        "Boolean" => "Alba makes true of 0, of \"\" and of any text; Katsu casts as ActiveModel does"
      }.freeze
      ASSOCIATIONS = %i[one has_one association many has_many].freeze
      INLINE = [*ASSOCIATIONS, :nested, :nested_attribute].freeze
      DECLARING = [*INLINE, :attributes, :attribute, :trait].freeze
      OPTIONS = {key: :name, resource: :serializer, serializer: :serializer, with_traits: :view}.freeze
      KINDS = %w[lower_camel camel dash].freeze
      private_constant :ON_ERROR, :CASTS, :NOT_SO, :ASSOCIATIONS, :INLINE, :DECLARING, :OPTIONS, :KINDS

      private

      def mixin(node, arguments)
        return unless arguments.positional.any? { |name| MIXINS.key?(name.slice.delete_prefix("::")) }
        return lose(node, "included together with others") if arguments.positional.size > 1

        @source.remove_lines(node)
      end

      # private def words(post) is a method, too.
      def declare(node)
        super
        return unless node.is_a?(::Prism::CallNode) && node.receiver.nil? && RUBY.include?(node.name)

        node.arguments&.arguments.to_a.grep(::Prism::DefNode).each { |method| give_object(method) }
      end

      # A resource says it of all its collections, Katsu of each.
      def collection_key(node, arguments)
        key = arguments.positional.map(&:slice).join(", ")
        lose(node, "by: #{key} is said where the collection is written (has_many, many, render, render json:)")
      end

      def method(node)
        super
        return unless node.receiver.nil?

        give_object(node)
        note_association(node)
      end

      # A method of a resource is given the object, a method of a serializer reads it.
      def give_object(node)
        parameters = node.parameters
        return if parameters.nil? || self.class::NEVER_CALLED.include?(node.name)
        return unless parameters.requireds.size == 1 && parameters.compact_child_nodes.size == 1

        @source.replace(parameters, "#{parameters.slice} = object")
      end

      def attributes(node, arguments)
        condition = arguments.options.delete(:if)
        cast, types = arguments.options.partition { |_, type| cast(type) }.map(&:to_h)
        reasons = types.map { |name, type| "the type of #{name}, #{type.slice}, has no counterpart" }
        reasons.concat(arguments.others.map { |pair| "#{pair.slice} has no counterpart" })
        reasons.concat(cast.filter_map { |name, type| "#{name}: #{NOT_SO[cast(type)]}" if NOT_SO.key?(cast(type)) })
        condition = condition(condition)
        names = [*positional(arguments), *types.keys.map { |name| ":#{name}" }]
        lines = names.empty? ? [] : [["attributes #{names.join(", ")}", condition]]
        lines += cast.map { |name, type| ["attribute :#{name}, #{CASTS[cast(type)]}", condition] }
        texts = lines.map { |line, given| given ? "#{line}, if: #{given}" : line }
        rewrite(node, texts.join("\n#{@source.indent(node)}"))
        note(node, *reasons)
      end

      # The type that [String, true] converts to; nil for a type that is only checked, and any other.
      def cast(node)
        return unless node.is_a?(::Prism::ArrayNode) && node.elements.size == 2
        return unless node.elements.last.is_a?(::Prism::TrueNode)

        type = node.elements.first.slice.delete_prefix(":")
        type if CASTS.key?(type)
      end

      def attribute(node, arguments)
        condition = arguments.options.delete(:if)
        _, reasons = carried(arguments, {})
        block = block_argument(arguments) || given_object(code(arguments.block))
        write(node, "attribute", positional(arguments), {if: condition(condition)}, block, reasons)
      end

      def association(node, arguments)
        name, filter = arguments.positional
        throw :lost, "source: chooses other objects" if arguments.options.key?(:source)
        throw :lost, "a proc and a block have no counterpart together" if filter && arguments.block
        condition = arguments.options.delete(:if)
        texts, reasons = carried(arguments, OPTIONS)
        texts[:if] = condition(condition)
        texts[:serializer] = given_resource(arguments, reasons)
        texts[:view] = given_view(arguments, reasons)
        word = %i[many has_many].include?(node.name) ? "has_many" : "has_one"
        code = filter ? filtered(name, filter) : inline(arguments)
        write(node, word, [@source.text(name)], {serializer: texts[:serializer], **texts}, code, reasons)
      end

      def given_resource(arguments, reasons)
        node = arguments.options[:resource] || arguments.options[:serializer]
        return if node.nil?

        serializer(node).tap { |text| reasons << "resource: #{node.slice} is not a class" unless text }
      end

      def given_view(arguments, reasons)
        node = arguments.options[:with_traits]
        return if node.nil?
        return @source.text(node) if node.is_a?(::Prism::SymbolNode)

        reasons << "with_traits: #{node.slice}: there is one view at a time"
        nil
      end

      # The block of an association is the body of a resource.
      def inline(arguments)
        return unless arguments.block.is_a?(::Prism::BlockNode)

        statements(arguments.block.body)
        code(arguments.block).block([])
      end

      # A proc of the association's value, the params and the object. Without it other objects would be written.
      def filtered(name, node)
        code = code(node)
        parameters = code&.parameters
        throw :lost, "#{node.slice} has no counterpart" unless parameters && name.is_a?(::Prism::SymbolNode)

        value, params, object = parameters
        object ||= "object"
        variables = {value => "#{object}.#{name.unescaped}", params => "context"}
        code.block([object], variables.select { |variable, _| variable && code.reads?(variable) })
      end

      # A lambda of the object and the value.
      def condition(node)
        return if node.nil?
        return @source.text(node) if node.is_a?(::Prism::SymbolNode)

        code = code(node)
        parameters = code&.parameters
        return code.lambda(parameters.first(1)) if parameters && (parameters.size < 2 || !code.reads?(parameters[1]))

        lose_condition(:if, node)
      end

      def trait(node, arguments)
        body_here(arguments)
        @source.replace(node.message_loc, "view")
        statements(arguments.block.body)
      end

      def nested(node, arguments)
        body_here(arguments)
        condition = condition(arguments.options.delete(:if))
        _, reasons = carried(arguments, {})
        write(node, "nested", positional(arguments), {if: condition}, inline(arguments), reasons)
      end

      # For a word whose block is the body of a resource.
      def body_here(arguments)
        throw :lost, "its block is not here" unless arguments.block.is_a?(::Prism::BlockNode)
      end

      # Alba's transform_keys is for the root, too. With one name there is no root for collections.
      def root_key(node, arguments)
        @source.replace(node.message_loc, "root")
        names = arguments.positional
        kind = kind_of_root
        clear, unclear = kind ? names.partition { |name| clear?(name) } : [[], []]
        clear.each { |name| @source.replace(name, in_kind(name.unescaped, kind).to_sym.inspect) }
        @source.replace(names.first, "#{@source.text(names.first)}, false") if names.size == 1
        note(node, *unclear.map { |name| "transform_keys is for #{name.slice}, too; root is written as it is given" })
      end

      # How transform_keys, above or below, writes the root; nil if it leaves it as it is.
      def kind_of_root
        arguments = own_calls(:transform_keys).map { |call| Arguments.new(call) }.last
        root = arguments&.options&.fetch(:root, nil)
        kind = arguments&.names&.first
        kind if KINDS.include?(kind) && (root.nil? || root.is_a?(::Prism::TrueNode))
      end

      def own_calls(*words)
        @body.grep(::Prism::CallNode).select { |call| call.receiver.nil? && words.include?(call.name) }
      end

      # True of a literal whose parts everyone tells apart in the same way.
      def clear?(node)
        literal = node.is_a?(::Prism::SymbolNode) || node.is_a?(::Prism::StringNode)
        literal && node.unescaped.match?(/\A[a-z][a-z\d]*(?:_[a-z\d]+)*\z/)
      end

      def in_kind(name, kind)
        return name.tr("_", "-") if kind == "dash"

        first, *others = name.split("_")
        [kind == "camel" ? first.capitalize : first, *others.map(&:capitalize)].join
      end

      def meta(node, arguments)
        code = code(arguments.block)
        return lose(node, "meta has no counterpart but with a plain block") unless code&.parameters == []
        return lose(node, "meta is written under the key meta") unless arguments.names.all?("meta")

        write(node, "meta", [], {}, code.block(code.calls?(:params) ? %w[object context] : %w[object]), [])
      end

      def transform_keys(node, arguments)
        kind = arguments.names.first
        return lose(node, "keys cannot be written so") unless [*KINDS, "none"].include?(kind)

        root = arguments.options[:root]
        given = root.nil? || root.is_a?(::Prism::FalseNode)
        given ||= root.is_a?(::Prism::TrueNode) && own_calls(:root_key).any?
        reasons = given ? [] : ["root: #{root.slice}: root and meta are written as they are given"]
        if kept_in_place?(node, arguments.options[:cascade])
          reasons << "the keys of what is declared in place are written so, too"
        end
        write(node, "transform_keys", [":#{kind}"], {}, nil, reasons)
      end

      # True if Alba keeps the keys of an association or a nested object that is declared in place: with cascade: false,
      # and of what stands above.
      def kept_in_place?(node, cascade)
        inline = own_calls(*INLINE).select { |call| call.block.is_a?(::Prism::BlockNode) }
        return inline.any? unless cascade.nil? || cascade.is_a?(::Prism::TrueNode)

        inline.any? { |call| call.location.start_offset < node.location.start_offset }
      end

      def on_error(node, arguments)
        kind = arguments.names.first
        parameters = code(arguments.block)&.parameters
        unless ON_ERROR.key?(kind) || (parameters && parameters.size <= 2)
          return lose(node, "on_error takes the error and the object")
        end

        @source.replace(arguments.positional.first, ON_ERROR[kind]) if kind
        return lose(node, "on_error stands before the attributes") if @words.to_a.intersect?(DECLARING)

        note(node, *reasons_of_on_error(kind))
      end

      def reasons_of_on_error(kind)
        reasons = []
        reasons << "Alba's block gives the key and the value, Katsu's only the value" unless kind
        raised = kind != "raise" && own_calls(*ASSOCIATIONS).any?
        reasons << "an error of an association is raised all the same" if raised
        reasons
      end
    end
  end
end
