# frozen_string_literal: true

module Katsu
  class Serializer
    # The words of a serializer class's body. A word or option without a meaning raises ArgumentError when the class is
    # loaded.
    #
    # A method of the serializer, of its parents or of a module included below Katsu::Serializer is the value of the
    # attribute or association of that name, wherever it is defined.
    module DSL
      CONDITIONS = %i[if unless].freeze
      OPTIONS = [*CONDITIONS, :needs, *FieldRule::OPTIONS, *Conversion::OPTIONS].freeze
      private_constant :CONDITIONS, :OPTIONS

      # Declares attributes by the names of columns, methods or Hash keys. if:, unless:, needs:, default:, omit_nil:,
      # on_error:, type:, format: see attribute. Returns the names. Raises ArgumentError for what has no meaning.
      def attributes(*names, **options, &block)
        what = ["attributes", names.map(&:inspect).join(", ")].reject(&:empty?).join(" ")
        refuse_block(what, "attribute(:name) { |object| ... }") if block
        Keywords.check_declared(self, what, options, OPTIONS)
        refuse_word("attributes has #{options.keys.join(", ")}: and no names") if names.empty? && !options.empty?
        names = names.map { |name| Names.check(self, "attributes", name) }
        conditions = Condition.of(self, what, options)
        needs = Needs.of(self, what, options)
        rule = FieldRule.of(self, what, options, field_rules)
        names.each { |name| declare(ruled_attribute(name, rule, conditions: conditions, needs: needs)) }
      end

      # Declares one attribute and returns its name. Its value is what the block returns, if one is given. The block is
      # given the object, and the context if it takes two arguments; self is the serializer in it. if:, unless: a
      # Symbol, a method of the serializer, or a callable that takes the object or nothing and is run in the serializer;
      # if one of them says no, the key is left out.
      #
      # needs: the names that a method field, block or condition reads of the object, such as [:title, {address:
      # :country}]; see Needs. Code that only reads columns needs none. name: the key. default: the value in
      # the place of nil, or a callable that gives it (and takes the object or nothing). omit_nil: true leaves the key
      # out if the value is nil. on_error: what becomes of an error in a method field, a block, type:, format: or a
      # callable default: (not in if: and unless:): :raise, :null, :skip (the key is left out), or a callable that takes
      # the error and the object and returns the value.
      #
      # type: what casts the value first: a type of ActiveModel, such as :integer, or an object with cast. format: what
      # writes it: a pattern for strftime or Kernel#format, a name such as :iso8601, :unix or one that to_fs knows, or a
      # callable that takes the value and is run in the serializer. Both leave nil alone. Raises ArgumentError for what
      # has no meaning.
      def attribute(name, *others, **options, &block)
        unless others.empty?
          refuse_word("attribute takes one name; for more: attributes :a, :b; " \
                      "for a value: attribute(:a) { |object| ... }")
        end
        name = Names.check(self, "attribute", name)
        what = "attribute #{name.inspect}"
        Keywords.check_declared(self, what, options, [:name, *OPTIONS])
        call = Call.define(self, block, 2, what) if block
        conditions = Condition.of(self, what, options)
        key = options.key?(:name) ? Names.key(self, "#{what}, name", options[:name]) : name.name
        needs = Needs.of(self, what, options)
        rule = FieldRule.of(self, what, options, field_rules)
        declare(ruled_attribute(name, rule, key: key, call: call, conditions: conditions, needs: needs))
      end

      # aliases body: :text writes body under the key text. names: a Hash from name to key, or keywords. if:, unless:
      # see attribute; an attribute of such a name is given in a Hash: aliases({if: :condition}). Returns the pairs.
      # Raises ArgumentError for what has no meaning.
      def aliases(names = nil, *others, **options, &block)
        unless others.empty? && (names.nil? || names.is_a?(Hash))
          refuse_word("aliases takes names and keys, such as aliases body: :text")
        end
        conditions = options.slice(*CONDITIONS)
        names = (names || {}).merge(options.except(*CONDITIONS))
        what = "aliases #{names.map { |name, key| "#{name}: #{key.inspect}" }.join(", ")}"
        refuse_block(what, "attribute(:key) { |object| ... }") if block
        refuse_word("aliases has #{conditions.keys.join(", ")}: and no names") if names.empty? && !conditions.empty?
        pairs = names.map { |name, key| [Names.check(self, what, name), Names.key(self, what, key)] }
        conditions = Condition.of(self, what, conditions)
        rule = FieldRule.of(self, what, {}, field_rules)
        pairs.each { |name, key| declare(ruled_attribute(name, rule, key: key, conditions: conditions)) }
      end

      # An object written by another serializer. The name may be an association or any method. Options: serializer: (a
      # class, or its name), view: (one of its views), name: (the key), only:, except:, if:, unless:, needs:, depth:.
      #
      # A block that takes the object (and the context) returns the object to write; a block without parameters declares
      # the serializer:
      #
      #   has_one(:author) { |post| post.authors.first }
      #   has_one(:author) { attributes :id, :name }
      #
      # Returns the name. Raises ArgumentError for what has no meaning.
      def has_one(name, *options, **keywords, &block)
        associate(:has_one, name, options, keywords, block)
      end

      # A collection written by another serializer; name, options and blocks as for has_one, each_serializer: too. by:
      # an attribute of its objects, or a callable that takes one (and the context) and is run in their serializer; the
      # collection is then a Hash, each object under what by: gives:
      #
      #   has_many :comments, by: :id   # {"comments":{"1":{...},"2":{...}}}
      #
      # Returns the name. Raises ArgumentError for what has no meaning.
      def has_many(name, *options, **keywords, &block)
        associate(:has_many, name, options, keywords, block)
      end

      # Writes attributes of the object itself as an object of their own, under that name. Options: name: (the key),
      # if:, unless:, needs: (what the condition reads). The block is the body of a serializer.
      #
      #   nested(:address) { attributes :street, :city }   # {"address":{"street":"...","city":"..."}}
      #
      # Returns the name. Raises ArgumentError.
      def nested(name, **options, &block)
        name = Names.check(self, "nested", name)
        what = "nested #{name.inspect}"
        Keywords.check_declared(self, what, options, [:name, *CONDITIONS, :needs])
        unless block&.parameters&.empty?
          refuse_word("#{what} takes a block without parameters, " \
                      "such as nested(#{name.inspect}) { attributes :street }")
        end
        itself = Call.define(self, Call::ITSELF, 1, what)
        declare(Inline.association(self, :has_one, name, options, block, call: itself))
      end

      # Leaves out the keys of attributes whose value is nil, of this class and its subclasses; given: false ends that.
      # It stands before the attributes. Returns nil. Raises ArgumentError.
      def omit_nil(given = true)
        FieldRule.check_omit_nil(self, "omit_nil", given)
        add_field_rule(:omit_nil, given)
      end

      # Says what becomes of errors in the values of attributes, of this class and its subclasses. given, or the block:
      # see on_error: of attribute. It stands before the attributes. Returns nil. Raises ArgumentError.
      def on_error(given = nil, &block)
        refuse_word("on_error takes a kind or a block") unless given.nil? ^ block.nil?
        add_field_rule(:on_error, FieldRule.on_error(self, "on_error", given || block) || :raise)
      end

      private

      def add_field_rule(word, given)
        if @in_view || declares?
          refuse_word("#{word} stands before what it is for: before all attributes, associations and views")
        end
        later = all_subclasses.find(&:declares?)
        refuse_word("#{word} stands before what it is for: before the attributes of #{later}, too") if later
        @field_rules = {**field_rules, word => given}.freeze
        nil
      end

      # What omit_nil and on_error say for all attributes that are declared here.
      def field_rules
        @field_rules || (superclass.respond_to?(:field_rules, true) ? superclass.send(:field_rules) : {}.freeze)
      end

      def ruled_attribute(name, rule, **given)
        calls = rule ? rule.calls(self, name, given[:call]) : {}
        Attribute.new(name, **given, rule: rule, ruled_calls: calls)
      end

      def associate(kind, name, options, keywords, block)
        name = Names.check(self, kind.name, name)
        what = "#{kind} #{name.inspect}"
        unless options.empty? || (options.size == 1 && options[0].is_a?(Hash))
          refuse_word("#{what}: options are keywords, such as #{what}, serializer: PostSerializer " \
                      "(got #{options.map(&:inspect).join(", ")})")
        end
        options = (options[0] || {}).merge(keywords)
        return declare(Inline.association(self, kind, name, options, block)) if block && block.parameters.empty?

        call = Call.define(self, block, 2, what) if block
        declare(Association.new(self, kind, name, options, call: call))
      end

      def refuse_block(what, instead)
        refuse_word("#{what}: takes no block; a value is given by #{instead}")
      end

      def refuse_word(message)
        raise ArgumentError, "#{self}: #{message}"
      end
    end
  end
end
