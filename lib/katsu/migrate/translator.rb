# frozen_string_literal: true

module Katsu
  module Migrate
    # Translates the classes of one gem. A subclass has
    #
    # - WORDS: the method for each word of the gem's classes;
    # - CALLS: other names for methods that code of the class calls, such as params;
    # - NEVER_CALLED: methods that the gem calls and Katsu does not;
    # - RENDERING: methods by which code renders objects, called on a class of the gem.
    #
    # What is not carried over stays as a comment; notes has a line for each.
    class Translator
      CALLS = {}.freeze
      CONSTANTS = {}.freeze
      NEVER_CALLED = [].freeze
      RENDERING = [].freeze
      # Words of Ruby and ActiveSupport, which mean the same.
      RUBY = %i[
        alias_method attr_accessor attr_reader attr_writer class_attribute delegate extend include included_modules
        memoize module_function prepend private private_class_method private_constant protected public require
        require_relative
      ].freeze
      MARK = "katsu migrate: "

      attr_reader :notes

      # By the names of classes: names, the new ones; associations, the names of those that they declare; parents, what
      # they inherit from; class_methods, the names of those that they define.
      def initialize(source, names:, associations:, parents:, class_methods:)
        @source = source
        @names = names
        @associations = associations
        @parents = parents
        @class_methods_of = class_methods
        @notes = []
      end

      # Translates a ClassNode or an AssignedClass, whose superclass becomes parent.
      def translate(node, parent)
        rename(node)
        path = node.constant_path
        name = new_name(@source.text(path))
        given = node.superclass || node.is_a?(AssignedClass)
        @source.replace(path, given ? name : "#{name} < #{parent}")
        inherit(node, parent) if given
        @body = nodes(node.body)
        statements(node.body)
      end

      private

      def inherit(node, parent)
        return @source.replace(node.superclass, parent) if node.superclass

        offset, text = node.place_of_superclass
        @source.edit(offset, offset, format(text, parent))
      end

      def statements(body)
        nodes(body).each { |node| statement(node) }
      end

      def nodes(body)
        body = body.statements if body.is_a?(::Prism::BeginNode)
        body ? body.body : []
      end

      def statement(node)
        within = !node.is_a?(::Prism::ClassNode) && !node.is_a?(::Prism::ModuleNode) && any?(node) { |one| renders?(one) }
        declare(node)
        note(node, "render a serializer within another by one and many") if within
      end

      # True of a call that renders objects by another class.
      def renders?(node)
        return false unless node.is_a?(::Prism::CallNode) && self.class::RENDERING.include?(node.name)

        case node.receiver
        when ::Prism::ConstantReadNode, ::Prism::ConstantPathNode
          @names.key?(node.receiver.name.name) || node.receiver.slice.match?(OLD_NAME)
        else false
        end
      end

      def declare(node)
        return method(node) if node.is_a?(::Prism::DefNode)
        return unread(node) unless node.is_a?(::Prism::CallNode) && node.receiver.nil?
        return if RUBY.include?(node.name) && !self.class::WORDS.key?(node.name)

        handler = self.class::WORDS[node.name]
        handler ? handle(handler, node) : lose(node, "#{node.name} is no word of Katsu's")
        @words = [*@words, node.name]
      end

      def handle(handler, node)
        lost = catch(:lost) do
          send(handler, node, Arguments.new(node))
          nil
        end
        lose(node, lost) if lost
      end

      # Ends the translation of a statement whose condition has no counterpart. Without it the field would be written
      # for everybody, so it stays as a comment.
      def lose_condition(name, node)
        throw :lost, "#{name}: #{node.slice} has no counterpart"
      end

      # Words that stand in other code, such as a loop or an if.
      def unread(node)
        return if node.is_a?(::Prism::ClassNode) || node.is_a?(::Prism::ModuleNode)

        note(node, "what stands in here is not translated") if word_in?(node)
      end

      def word_in?(node)
        any?(node) { |one| one.is_a?(::Prism::CallNode) && one.receiver.nil? && self.class::WORDS.key?(one.name) }
      end

      # True if the block says it of a node, or of one within it.
      def any?(node, &block)
        yield(node) || node.compact_child_nodes.any? { |child| any?(child, &block) }
      end

      def method(node)
        return unless node.receiver.nil?
        return lose(node, "a serializer has no initialize; it is given context: and scope:") if node.name == :initialize
        return unless self.class::NEVER_CALLED.include?(node.name)

        note(node, "Katsu never calls #{node.name}")
      end

      # For gems that do not call a method with the name of an association.
      def note_association(method)
        named = @body.grep(::Prism::CallNode).any? do |call|
          call.receiver.nil? && self.class::WORDS[call.name] == :association &&
            Arguments.new(call).names.first == method.name.name
        end
        note(method, "Katsu calls #{method.name} for its association; the gem does not") if named
      end

      # What a class and its parents have. by_class: Arrays by the names of classes.
      def inherited(by_class, name, below = [])
        return [] if name.nil? || below.include?(name)

        by_class[name].to_a + inherited(by_class, @parents[name], [*below, name])
      end

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
        when ::Prism::InstanceVariableReadNode
          called = new_calls[node.name.name.delete_prefix("@").to_sym]
          @source.replace(node, called) if called
        when ::Prism::ConstantReadNode then rename_constant(node, node)
        when ::Prism::ConstantPathNode then rename_constant(node, node.name_loc)
        end
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

      def new_name(name)
        Migrate.serializer_name(name)
      end

      # A reason may have code of several lines.
      def on_one_line(reason) = reason.gsub(/\s*\n\s*/, " ")

      # The statement stays as a comment.
      def lose(node, reason)
        indent = @source.indent(node)
        reason = on_one_line(reason)
        @notes << "line #{node.location.start_line}: #{reason}"
        text = @source.text(node).gsub("\n", "\n#{indent}# ").gsub(/\n#{indent}#  {#{indent.size}}/, "\n#{indent}# ")
        @source.replace(node, "# #{MARK}#{reason}\n#{indent}# #{text}")
        @source.break_line_after(node, indent)
        @source.comment_heredocs(node, indent)
      end

      # A comment above a statement that is carried over, but not whole.
      def note(node, *reasons)
        return if reasons.empty?

        reasons = reasons.map { |reason| on_one_line(reason) }
        reasons.each { |reason| @notes << "line #{node.location.start_line}: #{reason}" }
        start = node.location.start_offset
        indent = @source.indent(node)
        text = reasons.map { |reason| "# #{MARK}#{reason}\n#{indent}" }.join + @source.text(node)
        @source.edit(start, node.location.end_offset, text)
      end

      # Writes a statement anew. positional: texts; options: texts by name, nil for none; code: the text of its block,
      # or of its block argument, such as &:title.
      def write(node, word, positional, options, code, reasons)
        block, code = code, nil if code&.start_with?("&")
        given = options.compact.map { |name, text| "#{name}: #{text}" }
        arguments = [*positional, *given, *block].join(", ")
        brace = code&.start_with?("{")
        call = brace && !arguments.empty? ? "#{word}(#{arguments})" : "#{word} #{arguments}".strip
        keep_heredocs(node, call)
        @source.replace(node, [call, code].compact.join(" "))
        note(node, *reasons.compact)
      end

      # The lines of a heredoc that is an argument stand below the statement, or in it. Those of an option that is left
      # out become comments.
      def keep_heredocs(node, call)
        heredocs = @source.heredocs(node.arguments)
        within = heredocs.any? { |_, closing| closing.end_offset <= node.location.end_offset }
        throw :lost, "a heredoc in its lines is not carried over" if within

        dropped = heredocs.reject { |opening, _| call.include?(opening.slice) }
        @source.comment_heredocs(node, @source.indent(node), dropped)
      end

      # The text of a block argument.
      def block_argument(arguments)
        @source.text(arguments.block) if arguments.block.is_a?(::Prism::BlockArgumentNode)
      end

      # The texts of options: renamed is a Hash from the gem's names to Katsu's. Any other option is a reason.
      def carried(arguments, renamed)
        reasons = arguments.others.map { |pair| "#{@source.text(pair)} has no counterpart" }
        (arguments.options.keys - renamed.keys).each do |name|
          reasons << "#{name}: #{@source.text(arguments.options[name])} has no counterpart"
        end
        given = renamed.select { |name, _| arguments.options.key?(name) }
        [given.to_h { |from, to| [to, @source.text(arguments.options[from])] }, reasons]
      end

      # The text of a serializer that an option names; nil if it is neither a constant nor a String.
      def serializer(node)
        case node
        when ::Prism::ConstantReadNode, ::Prism::ConstantPathNode then new_name(node.slice)
        when ::Prism::StringNode then new_name(node.unescaped).inspect
        end
      end

      def code(node)
        node && Code.of(node, @source)
      end

      # The text of a block that is given the object, for Katsu to give it the same. without: the parameters of one
      # without.
      def given_object(code, without = [])
        return if code.nil?
        return code.text if code.implicit?

        parameters = code.parameters
        throw :lost, "these parameters of a block have no counterpart" unless parameters
        code.block(parameters.empty? ? without : parameters)
      end
    end
  end
end
