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
      include Renaming

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

      # known: Hashes by the names of classes. names: the new ones; associations: the names of those that they declare;
      # parents: what they inherit from; own_methods and class_methods: the names of those that they define.
      def initialize(source, known)
        @source = source
        @known = known
        @names = known.fetch(:names)
        @parents = known.fetch(:parents)
        @notes = []
      end

      # Translates a ClassNode or an AssignedClass, whose superclass becomes parent.
      def translate(node, parent)
        rename(node)
        @name = node.name.name
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
        declare(node)
        rendering = !inner?(node) && any?(node) { |one| renders?(one) }
        note(node, "render a serializer within another by one and many") if rendering
      end

      # True of a class or module within the class, which has statements of its own.
      def inner?(node)
        node.is_a?(::Prism::ClassNode) || node.is_a?(::Prism::ModuleNode)
      end

      # True of a call that renders objects by another class.
      def renders?(node)
        return false unless node.is_a?(::Prism::CallNode) && self.class::RENDERING.include?(node.name)

        case node.receiver
        when ::Prism::ConstantReadNode, ::Prism::ConstantPathNode
          @names.key?(node.receiver.name.name) || node.receiver.slice.match?(OLD_NAME)
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
        return if inner?(node)

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

      # What a class and its parents have. what: a name of known, see initialize.
      def inherited(what, name, below = [])
        return [] if name.nil? || below.include?(name)

        @known.fetch(what)[name].to_a + inherited(what, @parents[name], [*below, name])
      end

      # Reasons for attributes, by their names, if the gem does not call a method that only a parent defines.
      def methods_of_parents(names)
        own = @body.grep(::Prism::DefNode).map { |one| one.name.name }
        named = names & (inherited(:own_methods, @parents[@name]) - own)
        named.map { |name| "Katsu calls #{name}, which a parent defines, for its attribute; the gem does not" }
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
        rewrite(node, [call, code].compact.join(" "))
        note(node, *reasons.compact)
      end

      # Its comments go above the new text if they are not in it.
      def rewrite(node, text)
        comments = @source.comments(node).reject { |comment| text.include?(comment) }
        @source.replace(node, [*comments, text].join("\n#{@source.indent(node)}"))
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

      # The texts of positional arguments.
      def positional(arguments)
        arguments.positional.map { |node| @source.text(node) }
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
