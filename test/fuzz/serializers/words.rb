# frozen_string_literal: true

module Fuzz
  # The part of Cases that makes blocks, conditions, methods and modules of serializers.
  module Words
    METHODS = ["\"method\"", "context", "scope.to_s", "object.class.name", "Katsu::Serializer::SKIP",
               "[1, {a: Time.at(0).utc}]",
               "object.then { |o| o.is_a?(Hash) ? o[:id] : o.id }", "Float::NAN",
               "(raise KeyError, \"mine\" if scope == :raise)",
               "BigDecimal(\"1.50\")", "\"ü\" * 3", "{b: 1, \"c\" => nil}"].freeze
    # What stands behind the name of an attribute.
    BLOCKS = [") { |o| o.class.name }", ") { |o| o.then { |x| x.is_a?(Hash) ? x.size : x.id } }",
              ") { |o| [nil, {t: 1.5}] }",
              ") { |o| raise KeyError, \"b\" if scope == :raise }",
              ") { |o| Katsu::Serializer::SKIP }", ") { \"ü\" }", ") { [scope, context] }",
              ") { |o, c| [c, o.class.name] }", ") { |_, c = 5| c }", ") { |*all| all.size }",
              ", &->(o) { o.nil? })", ", &->(o, c) { [c, scope] })",
              ", &:class)", ", &\"ü\".method(:itself))"].freeze
    # What is said of nil, of errors and of how a value is written.
    RULES = {
      default: ["0", "\"d\"", "nil", "[{a: 1}]", "-> { context }", "->(o) { o.class.name }",
                "-> { raise \"d\" }"],
      omit_nil: %w[true false],
      on_error: [":null", ":skip", ":raise", "->(e) { e.class.name }", "->(e, o) { [o.class.name] }"],
      type: %w[:string :integer :float :boolean :decimal :date :datetime],
      format: [":iso8601", ":unix", "\"%Y\"", "\"%.1f\"", "->(v) { [v.class.name] }", "-> { scope }"]
    }.freeze
    FOR_ALL = ["omit_nil", "omit_nil false", "on_error :null", "on_error :skip", "on_error { |e| e.class.name }"].freeze
    TRANSFORMS = [":camel", ":lower_camel", ":dash", ":none", "->(key) { \"k_\#{key}\" }"].freeze
    CONDITIONS = ["scope", "context.nil?", "true", "false", "!object.nil?"].freeze
    CALLABLES = ["-> { %s }", "->(o) { o && %s }", "->(o = nil) { o.nil? || %s }", "proc { |o| o == 1 || %s }",
                 ":nil?.to_proc", "nil.method(:!=)"].freeze
    # What an association gives, taken from an object by its name.
    SOURCES = ["{ |o| o.is_a?(Hash) ? o[:%s] : o.%s }", "{ |o, c| (o.is_a?(Hash) ? o[:%s] : o.%s) unless c }",
               "{ |_| nil }"].freeze
    LIST_SOURCES = [*SOURCES, "{ |o| (o.is_a?(Hash) ? o[:%s] : o.%s).to_a.first(1) }",
                    "{ |o, c = nil| (o.is_a?(Hash) ? o[:%s] : o.%s).to_a.reverse }"].freeze
    MODULES = %w[M0 M1].freeze

    private

    def modules
      names = Schema::MODELS.map { |model| attribute_names(model) }.reduce(:&)
      MODULES.map do |name|
        methods = Array.new(pick([1, 2])) { text("def #{pick(names)} = #{pick(METHODS)}") }
        Tree.new("concern(:#{name}) { ", methods, " }", separator: "; ")
      end
    end

    def module_line = text("#{pick(%w[include prepend])} #{pick(MODULES)}")

    # Options of what is declared under key, and the methods that they name.
    def conditions(key)
      words = [[:if], [:unless], %i[if unless]][@random.rand(3)]
      given = words.to_h { |word| [word, one_in?(3) ? ":#{word}_#{key}" : callable] }
      methods = given.each_value.select { |source| source.start_with?(":if_", ":unless_") }
      methods.map! { |source| "; def #{source[1..]} = #{pick(CONDITIONS)}" }
      [given.map { |word, source| "#{word}: #{source}" }, methods.join]
    end

    # Options of an attribute, if any.
    def rule
      return "" unless one_in?(4)

      words = Array.new(pick([1, 1, 2])) { pick(RULES.keys) }.uniq
      words.delete(:omit_nil) if words.include?(:default)
      words.map { |word| ", #{word}: #{pick(RULES[word])}" }.join
    end

    def callable = pick(CALLABLES).gsub("%s") { pick(CONDITIONS) }

    # The method stands before or behind the attribute.
    def method_lines(name)
      lines = [text("attributes :#{name}"), Tree.new("def #{name} = ", [text(pick(METHODS))], "", droppable: false)]
      Tree.new("", one_in?(2) ? lines : lines.reverse, "", separator: "; ")
    end

    # [a block that gives what an association writes, a method of its name that does], or neither.
    def source_of(kind, name)
      source = pick(kind == "has_one" ? SOURCES : LIST_SOURCES).gsub("%s", name.to_s)
      case @random.rand(6)
      when 0, 1 then [text(source), ""]
      when 2 then [text(""), "; def #{name} = object.then #{source}"]
      else [text(""), ""]
      end
    end
  end
end
