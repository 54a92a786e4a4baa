# frozen_string_literal: true

require_relative "../tree"

module Fuzz
  # The source of two models that belong to each other, their rows and their serializers.
  class Schema
    TEXTS = %w['' 'plain' 'quo"te' 'ünï' '2026-01-02' '1' NULL NULL].freeze
    TIMES = ["'2026-01-02 03:04:05'", "'2026-07-02 03:04:05.678901'", "'2024-02-29 12:00:00.5'", "'0001-01-01 00:00:00'",
             "'nonsense'", "'2026-03-29 01:30:00'", "1", "NULL"].freeze
    # Column types, and literals of which some are not of the type, as SQLite keeps them all the same.
    TYPES = {
      "integer" => %w[0 1 2 -7 9007199254740993 'x' 1.5 NULL],
      "bigint" => %w[1 9223372036854775807 NULL],
      "string" => TEXTS + %w[5 1.5],
      "text" => TEXTS,
      "boolean" => %w[1 0 't' 'f' 'maybe' NULL],
      "float" => %w[0.1 1 -2.5e20 'x' NULL],
      "decimal, precision: 10, scale: 2" => %w[1 1.5 '2.345' NULL],
      "date" => %w['2026-01-02' '0001-01-01' 'nonsense' NULL],
      "datetime" => TIMES,
      "datetime, precision: 0" => TIMES,
      "datetime, precision: 6" => TIMES,
      "time" => ["'12:30:00'", "'2000-01-01 23:59:59.5'", "NULL"],
      "json" => ["'{\"a\": [1, 2.50, \"ü\"]}'", "'[]'", "'5'", "'null'", "'no json'", "NULL"]
    }.freeze
    BODIES = [
      "def c1 = super", "attribute :c2, :string", "attribute :c3, Reversed.new", "attribute :virtual, :integer, default: 3",
      "after_find { }", "default_scope { where(\"c0 IS NOT 5\") }", "enum :c0, {zero: 0, one: 1, two: 2}",
      "serialize :c1, coder: JSON", "alias_attribute :named, :c1", "self.time_zone_aware_attributes = false",
      "def shout = c1.to_s.upcase", "self.ignored_columns += [\"c4\"]"
    ].freeze
    FIELDS = [
      "attributes :c0, :c1", "attributes :c2, :c3", "attributes :c1", "aliases c2: :two",
      "attribute(:size, needs: :c1) { |o| o.c1.to_s.size }",
      "attribute(:ids, needs: {items: :c0}) { |o| o.items.map(&:c0) }",
      "attribute(:owned, needs: {owner: [:c1, :id]}) { |o| o.owner&.id }",
      "attribute(:any) { |o| o.c0 }", "attribute :c3, if: -> { scope }, needs: []",
      "attribute(:sure, if: ->(o) { o.c0 }, needs: :c0) { 1 }",
      "attribute(:pair, needs: [:c0, {items: {owner: :c0}}]) { |o| [o.c0, o.items.map { |i| i.owner&.c0 }] }"
    ].freeze
    SCOPES = ["order(:id)", "order(id: :desc)", "where(\"c0 > 0\").order(:id)", "order(:id).limit(1)",
              "order(:id).distinct"].freeze

    def initialize(random, models)
      @random = random
      @models = models
    end

    # An Array of Trees, one a statement.
    def lines
      @models.flat_map { |model| table(model) + [model_of(model)] } + @models.map { |model| serializer(model, other(model)) }
    end

    private

    def other(model) = @models[1 - @models.index(model)]

    def table(model)
      types = Array.new(5) { |index| index == 1 ? pick(%w[string text]) : pick(TYPES.keys) }
      columns = types.each_with_index.map { |type, index| "c#{index}: [#{column(*type.split(", ", 2))}]" }
      rows = Array.new(pick([1, 4, 9])) do |row|
        literals = types.map { |type| pick(TYPES.fetch(type)).dump }
        Tree.new("insert(:#{model.downcase}, [#{[row + 1, pick([1, 1, 2, 3, "nil"]), *literals].join(", ")}])")
      end
      [Tree.new("table(:#{model.downcase}, #{columns.join(", ")})"), Tree.new("", rows, "", separator: "\n")]
    end

    def column(type, options = nil)
      options ? ":#{type}, {#{options}}" : ":#{type}"
    end

    def model_of(model)
      bodies = Array.new(pick([0, 0, 1, 2])) { Tree.new(pick(BODIES)) }.uniq(&:source)
      target = "class_name: \"Space::#{other(model)}\""
      associations = ["belongs_to :owner, #{target}, optional: true",
                      "has_many :items, -> { #{pick(SCOPES)} }, #{target}, foreign_key: :owner_id",
                      "has_one :item, -> { order(:id) }, #{target}, foreign_key: :owner_id"]
      Tree.new("model(#{model.inspect}) { #{associations.join("; ")}; ", bodies, " }", separator: "; ")
    end

    def serializer(model, target)
      nested = "serializer: \"Space::#{target}Serializer\""
      associations = ["has_many :items, #{nested}, depth: #{pick([1, 2])}", "has_one :owner, #{nested}, depth: 1",
                      "has_one :item, #{nested}, depth: 1, only: [:id]"]
      fields = Array.new(pick([1, 2, 3])) { pick(FIELDS) } + associations.sample(@random.rand(3), random: @random)
      fields = fields.uniq { |field| field[/[:(]+(\w+)/, 1] }.map { |field| Tree.new(field) }
      Tree.new("serializer(#{model.inspect}) { attributes :id; ", fields, " }", separator: "; ")
    end

    def pick(list) = list.sample(random: @random)
  end
end
