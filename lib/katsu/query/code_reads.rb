# frozen_string_literal: true

module Katsu
  module Query
    # The advice for a field whose Ruby code has no needs:, with what the code reads of the object if that is known.
    #
    # CRuby's instructions are read when the text of the advice is made. Each use of the object has to be a call of a
    # reader of the model; if the code does anything else with the object, or calls methods that may, nothing is known.
    class CodeReads
      # Methods of a collection that read no column, and those that give a block its objects and return none of them.
      COUNTS = %i[size length empty? any? none?].freeze
      WALKS = %i[map flat_map filter_map sum any? all? none? count to_h].freeze
      # Methods of a serializer that give what it was given, unless it has its own.
      GIVEN = %i[object context scope].freeze
      # What could reach the object in another way.
      HIDDEN = %i[getinstancevariable setinstancevariable invokesuper invokesuperforward invokeblock sendforward
                  once defineclass definemethod].freeze
      # Where the first local variable of a frame stands.
      LOCALS = 3
      private_constant :COUNTS, :WALKS, :GIVEN, :HIDDEN, :LOCALS

      def initialize(serializer, step, model)
        @serializer = serializer
        @step = step
        @model = model
      end

      def to_s
        @text ||= (found = names) ? "say needs: #{found}, as its code reads nothing else" : Reasons::NEEDS
      end

      # The names as Ruby code, such as "[:title, {author: :name}]"; nil if they are not known.
      def names
        return unless defined?(::RubyVM::InstructionSequence)

        catch(:unknown) do
          found = {}
          [@step.call, *@step.conditions.map(&:call)].compact.each { |call| walk_call(call, found) }
          "[#{texts(found).join(", ")}]"
        end
      end

      private

      def unknown = throw(:unknown)

      def walk_call(call, found)
        unknown if call.around
        instructions = ::RubyVM::InstructionSequence.of(call.body || @serializer.instance_method(call.name))
        code = instructions ? instructions.to_a : unknown
        walk(code, [call.body && call.arguments.positive? ? first_local(code, @model, found) : {}], found)
      end

      # Adds what the code reads of the object to found, a tree as Serializer::Needs has it. locals: the variables that
      # are objects of a model, in this frame and those around it, the innermost first: [model, tree] by their places.
      def walk(code, locals, found)
        unknown if code[-2].any? { |entry| entry[1] } # the instructions of a rescue
        body = code.last.grep(Array)
        body.each_with_index do |instruction, index|
          unknown if HIDDEN.include?(instruction[0])
          object = local(instruction, locals) || object_of_self(instruction, body[index + 1], found)
          read(*object, body, index + (instruction[0] == :putself ? 2 : 1), locals, found) if object
          inner = instruction[2]
          walk(inner, [{}, *locals], found) if inner.is_a?(Array) && inner[0].is_a?(String)
        end
      end

      def first_local(code, model, found)
        {(LOCALS + code[10].size - 1) => [model, found]}
      end

      # The object that an instruction puts on the stack, as [model, tree].
      def local(instruction, locals)
        name = instruction[0].name
        return unless name.start_with?("getlocal", "setlocal")

        level = name.end_with?("_0", "_1") ? name[-1].to_i : instruction[2]
        object = locals.dig(level, instruction[1])
        object && name.start_with?("setlocal") ? unknown : object
      end

      def object_of_self(instruction, following, found)
        return unless instruction[0] == :putself

        called = reader(following)
        unknown unless GIVEN.include?(called) && @serializer.instance_method(called).owner.equal?(Serializer)

        [@model, found] if called == :object
      end

      # The name of a call without arguments.
      def reader(instruction)
        call = instruction && instruction[1]
        call[:mid] if call.is_a?(Hash) && call[:orig_argc]&.zero? && !instruction[2]
      end

      # Notes what the instruction at index reads of an object of model.
      def read(model, tree, body, index, locals, found)
        index += 2 if body[index] == [:dup] && body[index + 1]&.first == :branchnil # &.
        name = reader(body[index])
        unknown unless name && Source::RecordSource.own_reader_of?(model, name)
        reflection = Reflections.of(model, name)
        unknown unless reflection || model.columns_hash.key?(model.attribute_aliases[name.name] || name.name)
        below = tree[name] ||= {}
        return unless reflection

        unknown if Reflections.polymorphic?(reflection) || Reflections.obstacle(model, reflection)
        unknown if Reflections.extended?(reflection) || reflection.has_cached_counter?
        next_read = reflection.collection? ? :read_all : :read
        send(next_read, reflection.klass, below, body, index + 1, locals, found)
      end

      # The same of a collection.
      def read_all(model, tree, body, index, locals, found)
        unknown unless body[index]
        return if COUNTS.include?(reader(body[index]))

        symbol = body[index][1] if body[index][0] == :putobject # &:name
        call, block = body[symbol ? index + 1 : index][1..]
        unknown unless call.is_a?(Hash) && WALKS.include?(call[:mid]) && call[:orig_argc].zero?
        return read(model, tree, [[:send, {mid: symbol, orig_argc: 0}]], 0, locals, found) if symbol.is_a?(Symbol)

        block.is_a?(Array) ? walk(block, [first_local(block, model, tree), *locals], found) : unknown
      end

      def texts(tree)
        flat, deep = tree.partition { |_, below| below.empty? }
        inner = deep.map do |name, below|
          names = texts(below)
          "#{name}: #{names.size == 1 ? names[0] : "[#{names.join(", ")}]"}"
        end
        [*flat.map { |name, _| name.inspect }, *("{#{inner.join(", ")}}" unless inner.empty?)]
      end
    end
  end
end
