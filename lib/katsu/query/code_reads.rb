# frozen_string_literal: true

require_relative "value_uses"

module Katsu
  module Query
    # What the Ruby code of a field reads of its object, if that can be told: by its instructions, which CRuby shows.
    #
    # Each use of the object has to be a call of a reader of the model; if the code does anything else with the object,
    # or calls methods that may, nothing is known. What is known is advice for people, as needs:.
    #
    # With columns_only, code is known if it reads columns only and changes none of their values. Such a field is read
    # from rows as if it had that needs:. If the code uses a constant, a global or outer variable, context or scope, two
    # more things make it unknown. One is a block: what is called with it can reach the object by its binding. The other
    # is a time in Time.zone: a record keeps the time in the zone in which it was read first.
    class CodeReads
      # Methods of a collection that read no column, and those that give a block its objects and return none of them.
      COUNTS = %i[size length empty? any? none?].freeze
      WALKS = %i[map flat_map filter_map sum any? all? none? count to_h].freeze
      # Methods of a serializer that give what it was given, unless it has its own.
      GIVEN = %i[object context scope].freeze
      # The instructions that work only on what is on the stack or in local variables. Code with an instruction that is
      # in no list, such as one of a later Ruby, is unknown.
      PLAIN = %i[
        nop pop dup dupn swap topn setn adjuststack leave jump branchif branchunless branchnil getspecial
        getlocal getlocal_WC_0 getlocal_WC_1 setlocal setlocal_WC_0 setlocal_WC_1
        putnil putself putobject putobject_INT2FIX_0_ putobject_INT2FIX_1_ putstring putchilledstring
        newarray newarraykwsplat duparray newhash duphash newrange splatarray splatkw concatarray concattoarray
        pushtoarray pushtoarraykwsplat expandarray concatstrings anytostring objtostring intern toregexp
        checkmatch checktype checkkeyword opt_case_dispatch send opt_send_without_block
        opt_newarray_max opt_newarray_min opt_newarray_send opt_duparray_send opt_str_freeze opt_str_uminus
        opt_ary_freeze opt_hash_freeze opt_nil_p opt_plus opt_minus opt_mult opt_div opt_mod opt_eq opt_neq opt_lt
        opt_le opt_gt opt_ge opt_ltlt opt_and opt_or opt_aref opt_aref_with opt_aset opt_aset_with opt_length opt_size
        opt_empty_p opt_succ opt_not opt_regexpmatch2
      ].freeze
      # Those that read constants and global variables.
      OUTER = %i[getglobal getconstant opt_getconstant_path opt_getinlinecache opt_setinlinecache opt_new].freeze
      KNOWN = [*PLAIN, *OUTER].to_h { |name| [name, true] }.freeze
      # Methods that reach the local variables of their caller.
      REFLECTIVE = %i[binding eval].freeze
      # Where the first local variable of a frame stands.
      LOCALS = 3
      private_constant :COUNTS, :WALKS, :GIVEN, :PLAIN, :OUTER, :KNOWN, :REFLECTIVE, :LOCALS

      # columns_only: nothing is known of code that reads more than columns, or may change the value of one.
      def initialize(serializer, step, model, columns_only: false)
        @serializer = serializer
        @step = step
        @model = model
        @columns_only = columns_only
        @methods = {}
      end

      # The advice.
      def to_s
        @text ||= (found = names) ? "say needs: #{found}, as its code reads nothing else" : Reasons::NEEDS
      end

      # The names as Ruby code, such as "[:title, {author: :name}]"; nil if they are not known.
      def names
        found = tree
        "[#{texts(found).join(", ")}]" if found
      end

      # What is read, as Serializer::Needs has it; nil if it is not known.
      def tree
        return unless defined?(::RubyVM::InstructionSequence)

        catch(:unknown) do
          found = {}
          [@step.call, *@step.conditions.map(&:call)].compact.each { |call| walk_call(call, found) }
          unknown if @outer && (@blocks || @times)
          found
        end
      end

      # Has a change of the methods that the code consists of reported as a change of the serializer.
      def watch
        @methods.each_key { |_, name| Serializer::MethodFields.declared(name) }
      end

      # False if the methods that the code consists of are others by now.
      def fresh?
        @methods.all? { |(owner, name), method| owner.instance_method(name) == method }
      rescue NameError
        false
      end

      private

      def unknown = throw(:unknown)

      def walk_call(call, found)
        unknown if call.around
        instructions = ::RubyVM::InstructionSequence.of(call.body || method(@serializer, call.name))
        code = instructions ? instructions.to_a : unknown
        walk(code, [call.body && call.arguments.positive? ? first_local(code, @model, found) : {}], found)
      end

      # A method of a class, on which depends what is found.
      def method(owner, name)
        @methods[[owner, name]] ||= owner.instance_method(name)
      end

      # Adds what the code reads of the object to found, a tree as Serializer::Needs has it. locals: the variables that
      # are objects of a model, in this frame and those around it, the innermost first: [model, tree] by their places.
      def walk(code, locals, found)
        unknown if code[-2].any? # a rescue or an ensure
        body = code.last.grep(Array)
        body.each_with_index do |instruction, index|
          unknown unless KNOWN.key?(instruction[0])
          look_around(instruction, locals) if @columns_only
          object = local(instruction, locals) || object_of_self(instruction, body[index + 1], found)
          read(*object, body, index + (instruction[0] == :putself ? 2 : 1), locals, found) if object
          inner = instruction[2]
          walk(inner, [{}, *locals], found) if inner.is_a?(Array) && inner[0].is_a?(String)
        end
      end

      # Notes whether the code has blocks, and whether it uses constants, global variables or variables of code around.
      def look_around(instruction, locals)
        call = instruction[1]
        unknown if call.is_a?(Hash) && REFLECTIVE.include?(call[:mid])
        @blocks ||= instruction[2].is_a?(Array)
        level = level(instruction)
        @outer ||= OUTER.include?(instruction[0]) || (level && level >= locals.size)
      end

      # How many frames further out a local variable stands; nil of another instruction.
      def level(instruction)
        name = instruction[0].name
        return unless name.start_with?("getlocal", "setlocal")

        name.end_with?("_0", "_1") ? name[-1].to_i : instruction[2]
      end

      # Of a block whose first parameter is the object. One that is called in another way, such as it, is not known.
      def first_local(code, model, found)
        unknown if code[10].empty? || (code[11].keys - %i[lead_num ambiguous_param0]).any?

        {(LOCALS + code[10].size - 1) => [model, found]}
      end

      # The object that an instruction puts on the stack, as [model, tree].
      def local(instruction, locals)
        level = level(instruction) or return
        object = locals.dig(level, instruction[1])
        object && instruction[0].start_with?("setlocal") ? unknown : object
      end

      def object_of_self(instruction, following, found)
        return unless instruction[0] == :putself

        called = reader(following)
        unknown unless GIVEN.include?(called) && method(@serializer, called).owner.equal?(Serializer)

        return [@model, found] if called == :object

        @outer = true
        nil
      end

      # The name of a call without arguments.
      def reader(instruction)
        call = instruction && instruction[1]
        call[:mid] if call.is_a?(Hash) && call[:orig_argc]&.zero? && !instruction[2]
      end

      # Notes what the instruction at index reads of an object of model.
      def read(model, tree, body, index, locals, found)
        index += 2 if body[index + 1]&.first == :branchnil # &., behind a dup
        name = reader(body[index])
        unknown unless name && Source::RecordSource.own_reader_of?(model, name)
        reflection = Reflections.of(model, name)
        column = model.attribute_aliases[name.name] || name.name
        unknown unless reflection || model.columns_hash.key?(column)
        check_use(model, name, column, body, index + 1, locals) if @columns_only
        below = tree[name] ||= {}
        return unless reflection

        unknown if Reflections.polymorphic?(reflection) || Reflections.obstacle(model, reflection)
        unknown if Reflections.extended?(reflection) || reflection.has_cached_counter?
        next_read = reflection.collection? ? :read_all : :read
        send(next_read, reflection.klass, below, body, index + 1, locals, found)
      end

      # Requires a column, and that its value is not changed: the other fields of a record would show the change.
      def check_use(model, name, column, body, index, locals)
        unknown if !model.columns_hash.key?(column) || Columns.key_id?(model, name.name)
        type = model.type_for_attribute(column)
        unknown unless ValueUses.harmless?(type, body, index, last: locals.size == 1)
        @times ||= ValueUses.time?(type)
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
