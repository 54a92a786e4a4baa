# frozen_string_literal: true

module Katsu
  module Migrate
    # oj_serializers 3. Its attributes are methods of the object, which has the name of the class: post in a
    # PostSerializer. An attribute is a method of the serializer.
    class OjSerializers < Translator
      WORDS = {
        attributes: :attributes, ams_attributes: :attributes, serializer_attributes: :attributes,
        hash_attributes: :attributes, attribute: :attribute, attr: :attribute, identifier: :identifier,
        has_one: :association, belongs_to: :association, has_many: :association, object_as: :object_as,
        transform_keys: :transform_keys, cached: :cached, cached_with_key: :cached, include: :mixin
      }.freeze
      CALLS = {object: "object", options: "context"}.freeze
      NEVER_CALLED = %i[render_as_hash write_many write_one write_to_json].freeze
      # What is said of one field; as:, root: and key: name its key, of which the first counts.
      KEYS = %i[root as key].freeze
      CONDITIONS = %i[if unless].freeze
      CAMEL = %w[camelize camel_case].freeze
      # Calls of a serializer that Katsu's do not have, or that give something else.
      RENDERING = %i[many_as_hash many_as_json one_as_hash one_as_json one_if render render_as_hash].freeze
      DECLARING = (WORDS.keys - %i[cached cached_with_key include object_as transform_keys]).freeze
      READING = %i[attributes hash_attributes identifier].freeze
      private_constant :KEYS, :CONDITIONS, :CAMEL, :DECLARING, :READING

      # See Translator.
      def translate(node, parent)
        body = nodes(node.body)
        @private_from = body.find { |one| one.is_a?(::Prism::CallNode) && one.slice == "private" }
        @defined = body.grep(::Prism::DefNode).select { |one| one.receiver.nil? }
        @new_calls = {**CALLS, **names_of_object(node.name.name, body).to_h { |name| [name, "object"] }}
        super
      end

      private

      attr_reader :new_calls

      # What the class and its parents call the object, unless the class has another method of that name.
      def names_of_object(name, body)
        chain = [name]
        chain << @parents[chain.last] while @parents[chain.last] && !chain.include?(@parents[chain.last])
        names = chain.map { |one| underscored(one.delete_suffix("Serializer")).to_sym }
        names - [:base] - Object.instance_methods - methods_in(body)
      end

      def underscored(name)
        name.gsub(/([A-Z\d]+)([A-Z][a-z])|([a-z\d])([A-Z])/) { "#{$1 || $3}_#{$2 || $4}" }.downcase
      end

      # The methods that the body of a class defines, by def or by a block.
      def methods_in(body)
        blocks = body.grep(::Prism::CallNode).select { |call| call.block && DECLARING.include?(call.name) }
        @defined.map(&:name) + blocks.flat_map { |call| Arguments.new(call).names.compact.map(&:to_sym) }
      end

      def statement(node)
        super
        note(node, *of_code(node)) unless inner?(node)
      end

      # What Ruby code calls that has no counterpart.
      def of_code(node)
        reasons = []
        if !@noted && any?(node) { |one| own_call?(one, :memo) }
          @noted = true
          reasons << "memo has no counterpart; one instance of the serializer serves all objects of a call"
        end
        reasons << "options of one and many are given as context: {...}" if any?(node) { |one| gives_options?(one) }
        reasons
      end

      def own_call?(node, name)
        node.is_a?(::Prism::CallNode) && node.receiver.nil? && node.name == name
      end

      def gives_options?(node)
        of_serializer?(node) && %i[one many].include?(node.name) && node.arguments&.arguments.to_a.size > 1
      end

      def of_serializer?(node)
        node.is_a?(::Prism::CallNode) && node.receiver&.slice.to_s.match?(/\A[\w:]+Serializer\z/)
      end

      # A field each. Names without options of their own stay together.
      def attributes(node, arguments)
        refuse_others(arguments)
        shared = arguments.options.slice(*CONDITIONS, *KEYS, :attribute)
        fields = arguments.positional.map { |name| [name, {}] } + renamed(arguments.options.except(*shared.keys))
        fields = fields.map { |name, own| field(name, {**shared, **own}) }
        plain = fields.all? { |_, options, _| options.empty? } && arguments.options.empty?
        plain ? @source.replace(node.message_loc, "attributes") : write_lines(node, fields)
        reasons = fields.flat_map(&:last).uniq + methods_of_parents(declared(node))
        reasons << "a key that a Hash does not have is an error, not null" if node.name == :hash_attributes
        note(node, *reasons)
      end

      # [[name, options], ...] of attributes title: :name and title: {as: :name}. name: a String.
      def renamed(pairs)
        pairs.map do |name, given|
          next [name.name, {as: given}] if given.is_a?(::Prism::SymbolNode)
          throw :lost, "#{name}: #{given.slice} has no counterpart" unless given.is_a?(::Prism::HashNode)

          [name.name, options_in(given)]
        end
      end

      def options_in(hash)
        unknown = hash.elements.find { |pair| !pair.is_a?(::Prism::AssocNode) || !pair.key.is_a?(::Prism::SymbolNode) }
        throw :lost, "#{unknown.slice} has no counterpart" if unknown
        hash.elements.to_h { |pair| [pair.key.unescaped.to_sym, pair.value] }
      end

      def write_lines(node, fields)
        chunks = fields.chunk_while { |one, other| one[1] == other[1] && !one[1].key?(:name) }
        rewrite(node, chunks.map { |chunk| line(chunk) }.join("\n#{@source.indent(node)}"))
      end

      def line(fields)
        options = fields.first[1]
        names = fields.map(&:first)
        texts = [*names, *options.map { |name, text| "#{name}: #{text}" }].join(", ")
        return "attributes(#{texts})" if names.any? { |name| name.start_with?("*") }

        "#{names.one? && !options.empty? ? "attribute" : "attributes"} #{texts}"
      end

      # [the text of its name, {option => text}, reasons]. name: a node, or a String.
      def field(name, given)
        text = name.is_a?(String) ? ":#{name}" : @source.text(name)
        key = KEYS.filter_map { |option| given[option] }.first
        key = key ? @source.text(key) : (text if given[:from])
        text = @source.text(given[:from]) if given[:from]
        options = {name: (key unless key == text), **conditions(text, given)}.compact
        [text, options, lost_options(given.except(*KEYS, *CONDITIONS, :from, :serializer))]
      end

      # Those of types and of the order, which Katsu does not have.
      def lost_options(given)
        given = given.reject { |name, node| name == :attribute && %w[:method :serializer].include?(node.slice) }
        given.map { |name, node| "#{name}: #{@source.text(node)} has no counterpart" }
      end

      # A method include_title? decides, too, unless there is an if:.
      def conditions(text, given)
        found = CONDITIONS.to_h { |name| [name, condition(name, given[name])] }.compact
        method = including(text.delete(":\"'"))
        found.empty? && including?(method) ? {if: ":#{method}"} : found
      end

      def including(name) = "include_#{name}#{"?" unless name.end_with?("?")}"

      def including?(method)
        @defined.any? { |one| one.name.name == method && !private?(one) }
      end

      def private?(node)
        !@private_from.nil? && @private_from.location.start_offset < node.location.start_offset
      end

      # The name of a method, or a lambda that is run in the serializer.
      def condition(name, node)
        return if node.nil?
        return @source.text(node) if node.is_a?(::Prism::SymbolNode)

        code = code(node)
        code&.parameters == [] ? code.lambda([]) : lose_condition(name, node)
      end

      def refuse_others(arguments)
        throw :lost, "#{arguments.others.first.slice} has no counterpart" if arguments.others.any?
      end

      def attribute(node, arguments)
        refuse_others(arguments)
        name = arguments.positional.first || method_below(node)
        throw :lost, "its method is not below it" if name.nil?

        name, text = name.name.name, @source.text(name) if name.is_a?(::Prism::DefNode) && arguments.positional.any?
        declared, options, reasons = field(name, arguments.options)
        write(node, "attribute", [text || declared], options, block(arguments, []), reasons)
      end

      # attribute alone is for the method that is defined next.
      def method_below(node)
        below = @body[@body.index(node).to_i + 1]
        below.name.name if below.is_a?(::Prism::DefNode) && below.receiver.nil?
      end

      # The block of a method, which is given nothing.
      def block(arguments, parameters)
        return if arguments.block.nil?
        throw :lost, "from: and a block have no counterpart together" if arguments.options.key?(:from)

        code = code(arguments.block)
        throw :lost, "these parameters of a block have no counterpart" unless code&.parameters == []
        code.block(parameters)
      end

      # It is not written of an object that is not saved.
      def identifier(node, arguments)
        refuse_others(arguments)
        text, options, reasons = field(arguments.positional.first || "id", arguments.options)
        options[:if] = "-> { !object.new_record? }" unless arguments.options.key?(:if)
        write(node, "attribute", [text], options, nil, reasons)
      end

      def association(node, arguments)
        refuse_others(arguments)
        given = arguments.options[:serializer]
        serializer = given && serializer(given)
        throw :lost, "its serializer is not a class" unless serializer
        name, options, reasons = field(arguments.positional.first, arguments.options)
        word = node.name == :has_many ? "has_many" : "has_one"
        write(node, word, [name], {serializer: serializer, **options}, block(arguments, ["_object"]), reasons)
      end

      def object_as(node, arguments)
        name = arguments.names.first
        throw :lost, "the name is not here" unless name
        @source.replace(node, "def #{name} = object")
        note(node, *lost_options(arguments.options))
      end

      def transform_keys(node, arguments)
        return if arguments.block || code(arguments.positional.first)

        kind = arguments.names.first
        return if kind == "none"
        return @source.replace(node, "transform_keys(&:#{kind})") if kind && !CAMEL.include?(kind)
        throw :lost, "keys cannot be written so" unless kind

        names = @body.grep(::Prism::CallNode).flat_map { |call| declared(call) }.select { |name| name.end_with?("?") }
        write(node, "transform_keys", [":lower_camel"], {}, nil, names.map { |name| "the key #{name} keeps its ?" })
      end

      # Katsu makes keys of all that the JSON depends on.
      def cached(node, arguments)
        reasons = arguments.positional.map { |key| "#{@source.text(key)}: the version of the record is the key" }
        write(node, "cache", [], {}, nil, ["vary: has to say what of context and scope the JSON depends on", *reasons])
      end

      def mixin(node, _arguments)
        note(node, "Katsu calls methods of modules for attributes of their names; oj_serializers reads the object",
             "a method include_title? of a module decides nothing: say if: :include_title? of title")
      end

      def method(node)
        super
        return unless node.receiver.nil?

        name = node.name.name
        reads = @body.any? { |call| READING.any? { |word| own_call?(call, word) } && declared(call).include?(name) }
        note(node, "Katsu calls #{name} for its attribute; oj_serializers reads the object") if reads
        field = name[/\Ainclude_(\w+)\?\z/, 1] unless private?(node)
        note(node, "it decides of #{field}, too: say if: :#{name} there") if field && !declared?(field)
      end

      # True if the class declares what a method include_...? decides of.
      def declared?(field)
        @body.grep(::Prism::CallNode).any? do |call|
          DECLARING.include?(call.name) && declared(call).any? { |name| including(name) == "include_#{field}?" }
        end
      end

      # The names that a call declares, as they are read.
      def declared(call)
        return [] unless call.receiver.nil? && DECLARING.include?(call.name)

        arguments = Arguments.new(call)
        names = arguments.positional.filter_map { |node| node.unescaped if node.respond_to?(:unescaped) }
        names << "id" if call.name == :identifier && names.empty?
        names + arguments.options.except(*CONDITIONS, *KEYS, :attribute, :serializer, :from).keys.map(&:name)
      end
    end
  end
end
