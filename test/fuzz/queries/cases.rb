# frozen_string_literal: true

require_relative "../tree"
require_relative "schema"

module Fuzz
  # Schemas with their models, rows and serializers, and relations that are read as rows and as records.
  class Cases
    # Those with which rows serve come more often.
    ROWS = [
      "where(c0: nil)", "where.not(c1: nil)", "where(\"c0 > 1\")", "where(id: 1..4)", "where(id: [])",
      "where(owner_id: [1, 2])", "where(owner_id: 1)", "where(owner_id: 2)", "where(id: 2..)", "where(id: 3..)",
      "limit(3)", "limit(2)", "offset(1).limit(5)", "offset(2).limit(1)", "distinct", "includes(:items)",
      "preload(:owner)", "joins(:items)", "left_joins(:owner)", "readonly", "none", "unscoped", "order(:c1)",
      "reorder(c0: :desc, id: :asc)", "reverse_order", "annotate(\"x\")"
    ].freeze
    RECORDS = ["eager_load(:owner)", "select(:id, :c0)", "select(\"TABLE.*, 1 AS extra\")", "group(:id)",
               "select(*NAMES, :limit)", "select(*NAMES).limit(2)", "select(*NAMES, :limit, :offset)",
               "select(*NAMES).limit(3).offset(1)",
               "from(\"TABLE\")", "lock", "load"].freeze
    SCOPES = [*ROWS, *ROWS, *RECORDS].freeze
    SETTINGS = ["zone: \"UTC\"", "zone: \"Europe/Berlin\"", "zone: \"America/St_Johns\"", "precision: 0",
                "precision: 6",
                "standard: false", "default_timezone: :local"].freeze
    FILTERS = ["only: [:id, :c0]", "except: [:c0]", "only: {instance: [:id, :items], items: [:c1]}",
               "except: {owner: [:c1]}", "scope: true", "view: :v", "transform_keys: :dash"].freeze

    # To make tables takes as long as dozens of cases.
    PER_SCHEMA = 120

    # database: the name of an adapter.
    def initialize(random, database: "sqlite3")
      @random = random
      @database = database
    end

    # [setup, cases]
    def program
      @models = %w[A B]
      lines = Schema.new(@random, @models, @database).lines
      [Tree.new("", lines, "", separator: "\n", droppable: false), Array.new(PER_SCHEMA) { check }]
    end

    private

    def check
      model = pick(@models)
      words = {"TABLE" => model.downcase, "NAMES" => "(#{model}.column_names - %w[limit offset]).map(&:to_sym)"}
      scopes = Array.new(pick([0, 1, 1, 2, 3])) { Tree.new(".#{pick(SCOPES).gsub(/TABLE|NAMES/, words)}") }
      settings = Array.new(pick([0, 0, 1, 2])) { Tree.new(pick(SETTINGS)) }.uniq { |setting| setting.source[/\w+/] }
      filters = Array.new(pick([0, 0, 1])) { Tree.new(pick(FILTERS)) }
      arguments = [Tree.new("{", settings, "}"), Tree.new("{", filters, "}"),
                   Tree.new("-> { #{model}.order(:id)", scopes, " }", separator: "")]
      Tree.new("check(#{model}Serializer, ", arguments, ")", droppable: false)
    end

    def pick(list) = list.sample(random: @random)
  end
end
