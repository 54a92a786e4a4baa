# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# A document makes one query, and one for each association that it reads: counted for random trees of serializers.
#
#   KATSU_TREES=1000 KATSU_SEED=2 bin/test test/conformance/query/counts_test.rb
class QueryCountsTest < TestCase
  include Queries

  TREES = Integer(ENV.fetch("KATSU_TREES", GC_MODE == "normal" ? 120 : 2))
  SEED = Integer(ENV.fetch("KATSU_SEED", 1))

  class Writer < ActiveRecord::Base
    self.table_name = "authors"
    self.inheritance_column = nil
    belongs_to :mentor, class_name: "QueryCountsTest::Writer"
    has_many :pupils, -> { order(:id) }, class_name: "QueryCountsTest::Writer", foreign_key: :mentor_id
    has_many :texts, -> { order(:id) }, class_name: "QueryCountsTest::Text", foreign_key: :author_id
    has_many :remarks, -> { order(:id) }, through: :texts
    has_many :grand_pupils, -> { order(:id) }, through: :pupils, source: :pupils
    has_one :grand_mentor, through: :mentor, source: :mentor
  end

  class Text < ActiveRecord::Base
    self.table_name = "posts"
    belongs_to :author, class_name: "QueryCountsTest::Writer"
    has_many :remarks, -> { order(:id) }, class_name: "QueryCountsTest::Remark", foreign_key: :post_id
    has_one :last_remark, -> { order(id: :desc) }, class_name: "QueryCountsTest::Remark", foreign_key: :post_id
    has_one :mentor, through: :author
  end

  class Remark < ActiveRecord::Base
    self.table_name = "comments"
    belongs_to :text, class_name: "QueryCountsTest::Text", foreign_key: :post_id
    has_one :author, through: :text
  end

  ASSOCIATIONS = {
    Writer => {mentor: Writer, pupils: Writer, texts: Text, remarks: Remark, grand_pupils: Writer,
               grand_mentor: Writer},
    Text => {author: Writer, remarks: Remark, last_remark: Remark, mentor: Writer},
    Remark => {text: Text, author: Writer}
  }.freeze

  # Random trees of serializers.
  class Trees
    def initialize(seed)
      @random = Random.new(seed)
    end

    # [serializer, how many associations it reads]
    def tree(model, depth = 3)
      below = depth.zero? ? {} : ASSOCIATIONS[model].to_a.sample(@random.rand(3), random: @random).to_h
      trees = below.transform_values { |target| tree(target, depth - 1) }
      records = @random.rand(6).zero?
      [serializer(model, trees, records), trees.size + trees.sum { |_, (_, edges)| edges }]
    end

    private

    def serializer(model, trees, records)
      Class.new(Katsu::Serializer) do
        attributes :id
        attribute(:shown) { |object| object.id } if records
        trees.each do |name, (nested, _)|
          kind = model.reflect_on_association(name).collection? ? :has_many : :has_one
          public_send(kind, name, serializer: nested)
        end
      end
    end
  end

  # Each association of each record leads to some.
  def setup
    [Remark, Text, Writer].each(&:delete_all)
    first = Writer.new(name: "first").tap { |writer| writer.save!(validate: false) }
    first.update!(mentor: first)
    one, other = Array.new(2) { |i| Writer.create!(name: "writer #{i}", mentor: first) }
    one.update!(mentor: other)
    Writer.create!(name: "last", mentor: one)
    Writer.find_each { |writer| writer.texts.create!(title: writer.name).remarks.create!([{body: "a"}, {body: "b"}]) }
  end

  def teardown
    [Remark, Text, Writer].each(&:delete_all)
  end

  def test_queries_are_one_and_the_distinct_associations
    trees = Trees.new(SEED)
    TREES.times do |i|
      model = ASSOCIATIONS.keys[i % 3]
      serializer, edges = trees.tree(model)
      text = nil
      made = queries { text = watched { serializer.many(model.order(:id)).to_json } }
      assert_equal 1 + edges, made.size, -> { "tree #{i} of seed #{SEED}\n#{made.join("\n")}" }
      records = model.order(:id).to_a
      assert_equal edges, queries { assert_equal text, serializer.many(records).to_json }.size if (i % 10).zero?
      assert_empty(queries { assert_equal text, serializer.many(records).to_json }) if (i % 10).zero?
    end
  end
end
