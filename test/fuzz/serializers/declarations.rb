# frozen_string_literal: true

module Fuzz
  # The part of Cases that makes serializers, and options for them.
  module Declarations
    METHODS = ["\"method\"", "context", "scope.to_s", "object.class.name", "Katsu::Serializer::SKIP",
               "[1, {a: Time.at(0).utc}]",
               "object.then { |o| o.is_a?(Hash) ? o[:id] : o.id }", "Float::NAN",
               "(raise KeyError, \"mine\" if scope == :raise)",
               "BigDecimal(\"1.50\")", "\"ü\" * 3", "{b: 1, \"c\" => nil}"].freeze
    BLOCKS = ["o.class.name", "o.then { |x| x.is_a?(Hash) ? x.size : x.id }", "[nil, {t: 1.5}]",
              "Katsu::Serializer::SKIP",
              "\"ü\""].freeze
    CONDITIONS = ["scope", "context.nil?", "true", "false", "!object.nil?"].freeze

    # names: what filters may say; associations: serializers' names by key, nil of a polymorphic one.
    Declared = Struct.new(:model, :names, :associations)

    private

    def serializers
      @declared = {}
      Schema::MODELS.reverse.flat_map { |model| Array.new(2) { |index| serializer("S#{model}#{index}", model) } }
    end

    def of_model(model) = @declared.select { |_, declared| declared.model == model }.keys

    def serializer(name, model)
      parent = of_model(model).any? && one_in?(2) ? pick(of_model(model)) : nil
      inherited = @declared[parent]
      @declared[name] = Declared.new(model, [*inherited&.names], {**inherited&.associations.to_h})
      @own = []
      lines = Array.new(pick([2, 4, 6])) { declaration(name, model) }.compact
      lines << filters_for(name) if one_in?(6)
      Tree.new("serializer(:#{name}#{", :#{parent}" if parent}) {\n  ", lines, "\n}", separator: "\n  ")
    end

    def declaration(owner, model)
      case @random.rand(12)
      when 0, 1, 2, 3 then attributes_line(owner, model)
      when 4 then new_key(owner, %w[a1 a2 größe]) { |key| text("aliases #{pick(attribute_names(model))}: :#{key}") }
      when 5 then new_key(owner, %w[x0]) { |key| text("attribute(:#{key}) { |o| #{pick(BLOCKS)} }") }
      when 6 then new_key(owner, [*attribute_names(model), "x1"]) { |key| method_lines(key) }
      when 7 then new_key(owner, attribute_names(model)) { |key| condition_line(key) }
      else association_line(owner, *pick(Schema::ASSOCIATIONS[model].to_a).flatten)
      end
    end

    # Yields one of keys that owner itself has not declared yet.
    def new_key(owner, keys)
      keys -= @own
      return if keys.empty?

      key = pick(keys)
      @own << key
      @declared[owner].names |= [key]
      yield key
    end

    def attributes_line(owner, model)
      names = Array.new(pick([1, 2, 4])) { new_key(owner, attribute_names(model), &:itself) }.compact
      Tree.new("attributes ", list(names.map { |name| ":#{name}" })) if names.any?
    end

    # The method stands before or behind the attribute.
    def method_lines(name)
      lines = [text("attributes :#{name}"), Tree.new("def #{name} = ", [text(pick(METHODS))], "", droppable: false)]
      Tree.new("", one_in?(2) ? lines : lines.reverse, "", separator: "; ")
    end

    def condition_line(name)
      return text("attribute :#{name}, if: -> { #{pick(CONDITIONS)} }") if one_in?(2)

      text("attribute :#{name}, if: :cond_#{name}; def cond_#{name} = #{pick(CONDITIONS)}")
    end

    def association_line(owner, name, kind, target)
      given, serializer = target == "*" ? polymorphic : single(target)
      key = new_key(owner, one_in?(5) ? ["n_#{name}"] : [name.to_s], &:itself) if given
      return unless key

      @declared[owner].associations[key] = serializer
      options = ["serializer: #{given}", ("name: :#{key}" if key != name.to_s)]
      options << "if: -> { #{pick(CONDITIONS)} }" if one_in?(6)
      options << "depth: #{pick([0, 1, 2])}" if serializer == owner
      options += %w[only except].map { |filter| "#{filter}: #{filter_names(serializer)}" if serializer && one_in?(6) }
      Tree.new("#{kind} :#{name}, ", list(options.compact))
    end

    # [source, name] of a serializer that is declared already, or of the one that is being declared.
    def single(target) = (pick(of_model(target)).then { |name| [name.inspect, name] } if of_model(target).any?)

    def polymorphic
      names = %w[B0 D0].to_h { |model| [model, of_model(model).first] }.compact
      ["{#{names.map { |model, name| "\"Space::#{model}\" => \"#{name}\"" }.join(", ")}}", nil] if names.any?
    end

    def filters_for(name)
      text("def self.filters_for(context, scope) = scope == :few ? {only: #{filter_names(name)}} : {}")
    end

    def filter_names(name)
      names = @declared[name].names
      chosen = names.empty? ? [] : Array.new(pick([1, 2, 3])) { pick(names) }.uniq
      "[#{chosen.map { |key| one_in?(4) ? key.inspect : ":#{key}" }.join(", ")}]"
    end

    def filter(name)
      nested = @declared[name].associations.select { |_, target| target && one_in?(2) }
      return filter_names(name) if nested.empty? || one_in?(2)

      pairs = nested.map { |key, target| "#{key}: #{filter_names(target)}" }
      "{#{["instance: #{filter_names(name)}", *pairs].join(", ")}}"
    end

    def options(name)
      given = [("only: #{filter(name)}" if one_in?(5)), ("except: #{filter(name)}" if one_in?(6)),
               ("context: #{pick(["\"c\"", "1", "nil"])}" if one_in?(4)),
               ("scope: #{pick([":admin", ":few", ":raise", "false"])}" if one_in?(4))]
      Tree.new("{", list(given.compact), "}")
    end
  end
end
