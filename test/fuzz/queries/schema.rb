# frozen_string_literal: true

require_relative "../tree"
require_relative "types"

module Fuzz
  # The source of two models that belong to each other, their rows and their serializers.
  class Schema
    BODIES = [
      "def c1 = super", "attribute :c2, :string", "attribute :c3, Reversed.new",
      "attribute :virtual, :integer, default: 3",
      "after_find { }", "default_scope { where.not(c0: 5) }", "enum :c0, {zero: 0, one: 1, two: 2}",
      "serialize :c1, coder: JSON", "alias_attribute :named, :c1", "self.time_zone_aware_attributes = false",
      "def shout = c1.to_s.upcase", "self.ignored_columns += [\"c4\"]"
    ].freeze
    FIELDS = [
      "attributes :c0, :c1", "attributes :c2, :c3", "attributes :c1", "aliases c2: :two",
      "attribute(:size, needs: :c1) { |o| o.c1.to_s.size }",
      "attribute(:ids, needs: {items: :c0}) { |o| o.items.map(&:c0) }",
      "attribute(:owned, needs: {owner: [:c1, :id]}) { |o| o.owner&.id }",
      "attribute(:any) { |o| o.c0 }", "attribute(:text) { |o| \"\#{o.c1} \#{o.c2&.to_s}\" }",
      "attribute :c3, if: :odd?; def odd? = object.id.odd?",
      "attribute(:up) { |o| o.c1.to_s.upcase }", "attribute(:all) { |o| [o.c0, o.id, o.c2.nil?, o.c4.to_s.size] }",
      "attribute(:grown) { |o| o.c1.to_s.dup << \"!\" }",
      "has_many(:items) { attributes :c1; attribute(:twice, if: ->(i) { i.c0 }) { |i| i.id * 2 } }",
      "attribute :c4, if: -> { scope }, needs: []",
      "attribute(:sure, if: ->(o) { o.c0 }, needs: :c0) { 1 }",
      "attributes :c0, :c1, default: 0", "attributes :c2, :c4, omit_nil: true",
      "attribute :c3, default: ->(o) { o.id }",
      "attribute :c2, type: :string, format: ->(v) { v.size }", "attribute :c3, type: :integer, on_error: :null",
      "attribute(:ruled, needs: :c1, default: \"d\", on_error: :skip) { |o| o.c1&.upcase }",
      "nested(:nest) { attributes :c0, :c3; attribute(:size, needs: :c1) { |o| o.c1.to_s.size } }",
      "nested(:nest, if: -> { scope }) { attributes :c1; has_one(:owner) { attributes :id, :c2 } }",
      "nested(:deep, if: ->(o) { o.c0 }, needs: :c0) { attributes :c0, :c2, :c4; has_many(:items) { attributes :id; " \
      "nested(:more) { attributes :c1, :c3; has_one(:owner) { attributes :c4 } } } }",
      "nested(:own) { nested(:inner, unless: ->(o) { o.owner }, needs: {owner: :c1}) { attributes :c0, :c1, :c2 } }",
      "has_many(:items) { attributes :id, :c1; nested(:more) { attributes :c0, omit_nil: true } }",
      "transform_keys :camel", "transform_keys { |key| key.upcase }",
      "view(:v) { attributes :c4; attribute(:twice, needs: :id) { |o| o.id * 2 }; exclude :id }",
      "attribute(:pair, needs: [:c0, {items: {owner: :c0}}]) { |o| [o.c0, o.items.map { |i| i.owner&.c0 }] }"
    ].freeze
    SCOPES = ["order(:id)", "order(id: :desc)", "where.not(c0: nil).order(:id)", "order(:id).limit(1)",
              "order(:id).distinct"].freeze

    # database: the name of an adapter, see Types.
    def initialize(random, models, database)
      @random = random
      @models = models
      @types = Types.of(database)
    end

    # An Array of Trees, one a statement.
    def lines
      @models.flat_map { |model| table(model) + [model_of(model)] } +
        @models.map { |model| serializer(model, other(model)) }
    end

    private

    def other(model) = @models[1 - @models.index(model)]

    def table(model)
      types = Array.new(5) { |index| pick(@types.names(index)) }
      columns = types.each_with_index.map { |type, index| "c#{index}: [#{column(*type.split(", ", 2))}]" }
      owners = pick([[1, 1, 2, 3, "nil"], [1, 1, 2, 3, "nil"], [1], ["nil"]])
      rows = Array.new(pick([1, 4, 9])) do |row|
        literals = types.map { |type| pick(@types.literals(type)).dump }
        Tree.new("insert(:#{model.downcase}, [#{[row + 1, pick(owners), *literals].join(", ")}])")
      end
      [Tree.new("table(:#{model.downcase}, #{columns.join(", ")})"), Tree.new("", rows, "", separator: "\n")]
    end

    def column(type, options = nil)
      options ? ":#{type}, {#{options}}" : ":#{type}"
    end

    def model_of(model)
      bodies = Array.new(pick([0, 0, 0, 1, 2])) { Tree.new(pick(BODIES)) }.uniq(&:source)
      target = "class_name: \"Space::#{other(model)}\""
      associations = ["belongs_to :owner, #{target}, optional: true",
                      "has_many :items, -> { #{pick(SCOPES)} }, #{target}, foreign_key: :owner_id",
                      "has_one :item, -> { order(:id) }, #{target}, foreign_key: :owner_id",
                      "has_many :nephews, -> { #{pick(SCOPES)} }, through: :owner, source: :items",
                      "has_many :inner, -> { order(:id) }, through: :items, source: :items",
                      "has_one :great, through: :owner, source: :owner",
                      "belongs_to :pair, #{target}, foreign_key: %i[owner_id id], primary_key: %i[owner_id id], " \
                      "optional: true",
                      "belongs_to :any, polymorphic: true, optional: true, foreign_type: :c1, foreign_key: :owner_id"]
      Tree.new("model(#{model.inspect}) { #{associations.join("; ")}; ", bodies, " }", separator: "; ")
    end

    def serializer(model, target)
      nested, own = [target, model].map { |name| "serializer: #{serializer_of(name)}" }
      by = pick(["", "", ", by: :id", ", by: :c0", ", by: ->(o) { o.owner_id }"])
      associations = ["has_many :items, #{nested}, depth: #{pick([1, 2])}#{by}", "has_one :owner, #{nested}, depth: 1",
                      "has_one :item, #{nested}, depth: 1, only: [:id]",
                      "has_many :nephews, #{own}, depth: 1, only: [:id, :c1]#{by}",
                      "has_many :inner, #{own}, depth: 1", "has_one :great, #{own}, depth: 1",
                      "has_one :pair, #{nested}, depth: 1, only: [:id]", "has_one :any, #{own}, depth: 1, only: [:id]"]
      fields = Array.new(pick([0, 1, 1, 2])) { pick(FIELDS) } + associations.sample(@random.rand(4), random: @random)
      fields = without_second(fields).map { |field| Tree.new(field) }
      Tree.new("serializer(#{model.inspect}) { attributes :id; ", fields, " }", separator: "; ")
    end

    # The option of an association: the name of a class, sometimes for objects of that model only.
    def serializer_of(model)
      name = "\"Space::#{model}Serializer\""
      pick([name, name, name, "{\"Space::#{model}\" => #{name}}"])
    end

    # What declares nothing that an earlier one declares.
    def without_second(fields)
      seen = []
      fields.select do |field|
        names = field.start_with?("attributes") ? field.scan(/:(\w+)/).flatten : [field[/[:(]+(\w+)/, 1]]
        (seen & names).empty? && seen.concat(names)
      end
    end

    def pick(list) = list.sample(random: @random)
  end
end
