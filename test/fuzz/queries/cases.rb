# frozen_string_literal: true

require_relative "../tree"
require_relative "schema"

module Fuzz
  # Schemas with their models, rows and serializers, and relations that are read as rows and as records.
  class Cases
    SCOPES = [
      "where(c0: nil)", "where.not(c1: nil)", "where(\"c0 > 1\")", "where(id: 1..4)", "where(id: [])",
      "where(owner_id: [1, 2])",
      "limit(3)", "offset(1).limit(5)", "distinct", "includes(:items)", "preload(:owner)", "eager_load(:owner)",
      "joins(:items)", "left_joins(:owner)", "readonly", "none", "unscoped", "order(:c1)",
      "reorder(c0: :desc, id: :asc)",
      "reverse_order", "select(:id, :c0)", "select(\"TABLE.*, 1 AS extra\")", "group(:id)", "from(\"TABLE\")", "lock",
      "annotate(\"x\")", "load"
    ].freeze
    SETTINGS = ["zone: \"UTC\"", "zone: \"Europe/Berlin\"", "zone: \"America/St_Johns\"", "precision: 0",
                "precision: 6",
                "standard: false", "default_timezone: :local"].freeze
    FILTERS = ["only: [:id, :c0]", "except: [:c0]", "only: {instance: [:id, :items], items: [:c1]}",
               "except: {owner: [:c1]}", "scope: true"].freeze

    def initialize(random)
      @random = random
    end

    # [setup, cases]
    def program
      @models = %w[A B]
      [Tree.new("", Schema.new(@random, @models).lines, "", separator: "\n", droppable: false), Array.new(40) { check }]
    end

    private

    def check
      model = pick(@models)
      scopes = Array.new(pick([0, 1, 1, 2, 3])) { Tree.new(".#{pick(SCOPES).gsub("TABLE", model.downcase)}") }
      settings = Array.new(pick([0, 0, 1, 2])) { Tree.new(pick(SETTINGS)) }.uniq { |setting| setting.source[/\w+/] }
      filters = Array.new(pick([0, 0, 1])) { Tree.new(pick(FILTERS)) }
      arguments = [Tree.new("{", settings, "}"), Tree.new("{", filters, "}"),
                   Tree.new("#{model}.order(:id)", scopes, "", separator: "")]
      Tree.new("check(#{model}Serializer, ", arguments, ")", droppable: false)
    end

    def pick(list) = list.sample(random: @random)
  end
end
