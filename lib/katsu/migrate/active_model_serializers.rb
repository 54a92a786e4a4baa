# frozen_string_literal: true

module Katsu
  module Migrate
    # ActiveModelSerializers 0.10. Its blocks and lambdas are given the serializer, Katsu's the object.
    class ActiveModelSerializers < Translator
      WORDS = {
        attributes: :attributes, attribute: :attribute, has_one: :association, belongs_to: :association,
        has_many: :association, cache: :cache
      }.freeze
      CALLS = {instance_options: "context"}.freeze
      NEVER_CALLED = %i[
        as_json associations attributes json_key read_attribute_for_serialization serializable_hash to_json
      ].freeze
      RENDERING = %i[new].freeze
      OPTIONS = {key: :name, if: :if, unless: :unless, serializer: :serializer, view: :view}.freeze
      WRITES = [
        ::Prism::InstanceVariableWriteNode, ::Prism::InstanceVariableOrWriteNode,
        ::Prism::InstanceVariableAndWriteNode, ::Prism::InstanceVariableOperatorWriteNode,
        ::Prism::InstanceVariableTargetNode
      ].freeze
      # What attributes takes for a list of names.
      LISTS = [::Prism::ArrayNode, ::Prism::ConstantReadNode, ::Prism::ConstantPathNode].freeze
      # What defines a method of the name that it is given.
      DEFINING = %i[alias_method attr_accessor attr_reader define_method delegate].freeze
      private_constant :OPTIONS, :WRITES, :LISTS, :DEFINING

      private

      # A parameter of a block or lambda may be the serializer; nothing else knows instance_options.
      def own?(receiver) = super || receiver.is_a?(::Prism::LocalVariableReadNode)

      # current_user is the scope, unless serialization_scope names another. Once a class: one definition is for all.
      def statement(node)
        super
        note_variables(node)
        return if @noted || !calls_current_user?(node) || @body.any? { |one| defines_current_user?(one) }

        @noted = true
        note(node, "current_user: write scope, or define it: def current_user = scope")
      end

      def declare(node)
        @private = node.name != :public if visibility?(node)
        super
      end

      # True of private, public and protected for the methods below.
      def visibility?(node)
        node.is_a?(::Prism::CallNode) && node.receiver.nil? && node.arguments.nil? &&
          %i[private protected public].include?(node.name)
      end

      def method(node)
        super
        return unless @private && node.receiver.nil? && attribute?(node.name.name)

        note(node, "ActiveModelSerializers does not call #{node.name}, as it is private, for its attribute; Katsu does")
      end

      def attribute?(name)
        @body.grep(::Prism::CallNode).any? do |call|
          call.receiver.nil? && %i[attribute attributes].include?(call.name) &&
            Arguments.new(call).names.include?(name)
        end
      end

      # ActiveModelSerializers makes a serializer for each object.
      def note_variables(node)
        return if inner?(node)

        names = variables(node).uniq.join(", ")
        return if names.empty?

        note(node, "#{names}: one serializer is for all objects of a call, so this is the first one's")
      end

      # The names of the instance variables that are set in a node.
      def variables(node)
        own = [node.name] if WRITES.include?(node.class)
        [*own, *node.compact_child_nodes.flat_map { |child| variables(child) }]
      end

      # Classes within have their own.
      def calls_current_user?(node)
        return false if inner?(node)

        any?(node) do |one|
          one.is_a?(::Prism::CallNode) && one.name == :current_user && one.receiver.nil? && one.arguments.nil?
        end
      end

      def defines_current_user?(node)
        any?(node) do |one|
          next one.name == :current_user if one.is_a?(::Prism::DefNode)

          one.is_a?(::Prism::CallNode) && DEFINING.include?(one.name) &&
            Arguments.new(one).names.include?("current_user")
        end
      end

      def attributes(node, arguments)
        return lose(node, "attributes takes names only") unless arguments.options.empty? && arguments.others.empty?

        list = arguments.positional.first if arguments.positional.size == 1
        @source.replace(node, "attributes(*#{@source.text(list)})") if LISTS.include?(list.class)
      end

      def attribute(node, arguments)
        options, reasons = carried(arguments, OPTIONS.slice(:key, :if, :unless))
        options.merge!(conditions(arguments))
        write(node, "attribute", positional(arguments), options, block(arguments, []), reasons)
      end

      def association(node, arguments)
        return lose(node, "include_data, link and meta are JSON:API's") if code(arguments.block)&.calls?(*JSON_API)

        options, reasons = carried(arguments, OPTIONS)
        options.merge!(conditions(arguments))
        options[:serializer] &&= serializer(arguments.options[:serializer]) || options[:serializer]
        reasons.concat(deeper(arguments))
        word = node.name == :has_many ? "has_many" : "has_one"
        write(node, word, positional(arguments), options, block(arguments, ["_object"]), reasons)
      end

      # Only associations of the first level are written by ActiveModelSerializers.
      def deeper(arguments)
        names = inherited(:associations, target(arguments)).uniq
        return [] if names.empty?

        list = names.map { |name| ":#{name}" }.join(", ")
        ["ActiveModelSerializers does not write #{names.join(", ")} here; Katsu does without except: [#{list}]"]
      end

      # The name of the class that writes an association.
      def target(arguments)
        given = arguments.options[:serializer]
        return given.slice[/\w+\z/] if given

        singular = arguments.names.first.to_s.sub(/ies\z/, "y").sub(/(?<!s)s\z/, "").delete("_")
        @known.fetch(:associations).keys.find { |name| name.sub(OLD_NAME, "").casecmp?(singular) }
      end

      JSON_API = %i[include_data link meta].freeze
      private_constant :JSON_API

      # A block with a parameter is given the serializer, which is self. without: the parameters of one without.
      def block(arguments, without)
        return called(arguments.block, without) if arguments.block.is_a?(::Prism::BlockArgumentNode)
        return unless (code = code(arguments.block))

        names = code.parameters
        throw :lost, "these parameters of a block have no counterpart" unless names
        code.block(without, names.empty? ? {} : {names.first => "self"})
      end

      # &:shout calls a method of the serializer.
      def called(block, without)
        name = block.expression.unescaped if block.expression.is_a?(::Prism::SymbolNode)
        throw :lost, "#{block.slice} has no counterpart" unless name&.match?(/\A[a-z_]\w*[?!]?\z/)
        parameters = " |#{without.join(", ")}|" unless without.empty?
        "{#{parameters} #{name} }"
      end

      def conditions(arguments)
        %i[if unless].to_h { |name| [name, condition(name, arguments.options[name])] }.compact
      end

      # A Symbol, or a lambda, whose parameter is the serializer. A String is code that is evaluated.
      def condition(name, node)
        return if node.nil?
        return @source.text(node) if node.is_a?(::Prism::SymbolNode)

        parameters = code(node)&.parameters
        return code(node).lambda([], parameters.empty? ? {} : {parameters.first => "self"}) if parameters

        lose_condition(name, node)
      end

      # only: and except: of the cached attributes have no counterpart.
      def cache(node, arguments)
        return lose(node, "cache with these options has no counterpart") if arguments.positional.any?

        options, reasons = carried(arguments, expires_in: :expires_in)
        reasons.reject! { |reason| reason.start_with?("key:") } # Katsu makes it of all that the JSON depends on
        reasons.unshift("vary: has to say what of context and scope the JSON depends on")
        write(node, "cache", [], options, nil, reasons)
      end
    end
  end
end
