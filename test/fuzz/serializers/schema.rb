# frozen_string_literal: true

module Fuzz
  # The part of Cases that makes models and their rows.
  #
  # A0 belongs to an owner (B0, of which C0 is a subclass), has parts (D0), and a polymorphic subject (B0 or D0); each
  # B0 has a mentor and pupils.
  module Schema
    ROWS = 4
    # [kind, model] by name; "*" is polymorphic.
    ASSOCIATIONS = {
      "A0" => {owner: %w[has_one B0], subject: %w[has_one *], part: %w[has_one D0], parts: %w[has_many D0]},
      "B0" => {items: %w[has_many A0], mentor: %w[has_one B0], pupils: %w[has_many B0], parts: %w[has_many D0]},
      "D0" => {item: %w[has_one A0], owner: %w[has_one B0]}
    }.freeze
    MODELS = ASSOCIATIONS.keys.freeze
    KEYS = {"A0" => %w[owner_id subject_id], "B0" => %w[mentor_id], "D0" => %w[item_id]}.freeze
    # Columns that associations and inheritance need besides, and literals for them.
    TYPES = {"A0" => ["subject_type", ["'Space::B0'", "'Space::D0'", "NULL"]],
             "B0" => ["type", ["NULL", "NULL", "'Space::C0'"]]}.freeze
    RELATIONS = {
      "A0" => [
        "belongs_to :owner, class_name: \"Space::B0\", optional: true",
        "belongs_to :subject, polymorphic: true, optional: true",
        "has_many :parts, -> { order(:id) }, class_name: \"Space::D0\", foreign_key: :item_id",
        "has_one :part, -> { order(:id) }, class_name: \"Space::D0\", foreign_key: :item_id"
      ],
      "B0" => [
        "has_many :items, -> { order(:id) }, class_name: \"Space::A0\", foreign_key: :owner_id",
        "has_many :parts, through: :items, source: :parts",
        "belongs_to :mentor, class_name: \"Space::B0\", optional: true",
        "has_many :pupils, -> { order(:id) }, class_name: \"Space::B0\", foreign_key: :mentor_id"
      ],
      "D0" => [
        "belongs_to :item, class_name: \"Space::A0\", optional: true",
        "has_one :owner, through: :item, source: :owner"
      ]
    }.freeze
    SUB_LINES = ["def c0 = \"sub \#{super}\"", "def c1 = [super]", "def shout = \"sub\"",
                 "attribute :c1, :string"].freeze

    private

    # {model => {column's name => kind}}
    def random_columns
      MODELS.to_h { |model| [model, (0..pick([2, 3, 4])).to_h { |index| ["c#{index}", pick(Column::ALL.keys)] }] }
    end

    def schema
      sub_model = Tree.new("model(:C0, {}, \"B0\") { ", list(SUB_LINES.select { one_in?(2) }), " }", separator: "; ")
      MODELS.map { |model| model_source(model) } + [sub_model] + MODELS.map { |model| rows_source(model) }
    end

    def attribute_names(model) = ["id", *@columns[model].keys, "v0", "al", "shout", *KEYS[model]]

    def model_source(model)
      columns = KEYS[model].map { |key| "#{key}: [:integer]" }
      columns << "#{TYPES[model][0]}: [:string]" if TYPES[model]
      columns += @columns[model].map { |name, kind| "#{name}: #{Column::ALL[kind].type}" }
      lines = RELATIONS[model] + @columns[model].filter_map { |name, kind| extra_line(name, kind) if one_in?(3) }
      lines << "self.time_zone_aware_attributes = false" if one_in?(4)
      lines += ["attribute :v0, :integer, default: 3", "alias_attribute :al, :c0", "def shout = \"#{model} \#{id}\""]
      parts = [Tree.new("", list(columns)), Tree.new("", list(lines), separator: "; ")]
      Tree.new("model(:#{model}, {", parts, " }", separator: "}) { ", droppable: false)
    end

    def extra_line(name, kind) = pick([*Column::ALL[kind].lines, nil])&.gsub("%s", name)

    def rows_source(model)
      names = KEYS[model] + @columns[model].keys + [*TYPES[model]&.first]
      rows = Array.new(ROWS) { Tree.new("[", list(literals(model)), "]", droppable: false) }
      Tree.new("insert(\"#{model.downcase}\", %w[#{names.join(" ")}], ", rows, ")")
    end

    def literals(model)
      keys = KEYS[model].map { pick(%w[1 2 3 4 NULL 9]) }
      values = @columns[model].each_value.map { |kind| pick(Column::ALL[kind].literals) }
      (keys + values + (TYPES[model] ? [pick(TYPES[model][1])] : [])).map(&:inspect)
    end
  end
end
