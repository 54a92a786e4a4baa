# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# What a document says of how it is read and written.
class ExplainTest < TestCase
  include Queries

  class AuthorSerializer < Katsu::Serializer
    attributes :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    attribute(:excerpt, needs: :body) { |post| post.body.first(3) }
    has_one :author, serializer: AuthorSerializer
  end

  class ShoutSerializer < PostSerializer
    attributes :shout
    attribute(:size) { |post| [post.title].size }
  end

  def ways(explanation)
    explanation.to_h.fetch(:fields).to_h { |field| [field[:path], field[:way]] }
  end

  def test_rows
    explanation = nil
    made = queries { explanation = PostSerializer.many(Post.where(draft: true)).explain }
    assert_empty made
    assert_equal :rows, explanation.to_h[:way]
    assert_empty explanation.to_h[:reasons]
    assert_includes %i[row driver], ways(explanation)["title"]
    assert_equal({"excerpt" => :method, "author" => :association}, ways(explanation).slice("excerpt", "author"))
    assert_equal [:author], explanation.to_h[:preloads]
    assert_equal ["Post", "author"], explanation.to_h[:queries].map { |query| query[:of] }
    made = queries { PostSerializer.many(Post.where(draft: true)).to_json }
    assert_equal made[0].delete_suffix("?"), explanation.to_h[:queries][0][:sql].sub(/(TRUE|1)\z/, "")
    assert_match(/"authors"."id" IN \(\.\.\.\)\z/, explanation.to_h[:queries][1][:sql])
  end

  def test_records_and_why
    explanation = ShoutSerializer.many(Post.all).explain
    assert_equal :records, explanation.to_h[:way]
    assert_equal %w[shout size], explanation.to_h[:reasons].map { |reason| reason[:path] }
    assert_equal({"title" => :model, "shout" => :reader, "size" => :method},
                 ways(explanation).slice("title", "shout", "size"))
    text = explanation.to_s
    assert_includes text, "ExplainTest::ShoutSerializer of a relation of Post: from records"
    assert_includes text, "because shout: it is a method of Post; faster: a method field of the serializer with needs:"
    assert_includes text,
                    "size: a method field or block may read anything of the object; " \
                          "faster: say needs: [:title], as its code reads nothing else"
    assert_includes text, "author.name"
  end

  def test_parts_of_a_query_that_need_records
    reasons = ->(relation) { PostSerializer.many(relation).explain.to_h[:reasons].map { |reason| reason[:why] } }
    assert_equal ["the query has group"], reasons.call(Post.group(:id))
    assert_equal ["the query has select"], reasons.call(Post.select(:id))
    assert_equal ["the relation is loaded"], reasons.call(Post.all.load)
    assert_equal ["the relation preloads nope, which is no association of Author"],
                 reasons.call(Post.includes(author: :nope))
    assert_equal ["the relation loads its associations by joins (eager_load)"], reasons.call(Post.eager_load(:author))
  end

  def test_other_sources
    assert_equal({"name" => :key}, ways(AuthorSerializer.many([{name: "a"}]).explain))
    assert_equal({"name" => :reader}, ways(AuthorSerializer.many([Struct.new(:name).new("a")]).explain))
    assert_equal({"name" => :model}, ways(AuthorSerializer.one(Author.new).explain))
    assert_equal 1, AuthorSerializer.many([{name: "a"}]).explain.to_h[:rows]
    assert_nil AuthorSerializer.many([].each).explain.to_h[:rows]
    assert_equal :rows, AuthorSerializer.one(Author.all).explain.to_h[:way]
    assert_equal "#<Katsu::Query::Explanation ExplainTest::AuthorSerializer of Author: records>",
                 AuthorSerializer.one(Author.new).explain.inspect
  end

  # Two associations that lead back to the same records reach them on thousands of paths.
  def test_associations_that_lead_to_each_other
    mentors = Class.new(Katsu::Serializer) { attributes :name }
    mentors.class_eval do
      has_one :mentor, serializer: self, depth: 12
      has_many :pupils, serializer: self, depth: 12
    end
    queries = mentors.many(Author.all).explain.to_h[:queries]
    assert_equal 201, queries.size
    assert_equal({of: "...", sql: "and more of the same associations, as often as their depth allows"}, queries.last)
    assert_equal %i[mentor pupils], mentors.preloads.first.keys
    two = Class.new(Katsu::Serializer) { attributes :name }
    two.class_eval do
      has_one :mentor, serializer: self, depth: 1
      has_many :pupils, serializer: self, depth: 1
    end
    assert_equal [{mentor: [:pupils], pupils: [:mentor]}], two.preloads
  end

  # A plan for each way does not mean that all of them can be told.
  def test_associations_that_lead_to_each_other_in_more_ways
    serializers = Array.new(5) { Class.new(Katsu::Serializer) { attributes :name } }
    names = Array.new(5) { |index| :"pupils#{index}" }
    names.each { |name| Author.has_many(name, class_name: "Author", foreign_key: :mentor_id) }
    serializers.each do |serializer|
      names.zip(serializers) { |name, other| serializer.has_many(name, serializer: other, depth: 1) }
    end
    explained = serializers.first.many(Author.all).explain.to_h
    assert_equal [nil, 201, 1001, "..."], [explained[:preloads], explained[:queries].size, explained[:fields].size,
                                           explained[:fields].last[:path]]
    error = assert_raises(Katsu::Error) { serializers.first.preloads }
    assert_match(/: preloads has over 2000 places\z/, error.message)
  end

  def test_keys_beside_other_lists
    Author.has_many(:some_posts, -> { where(title: %w[a b]) }, class_name: "Post")
    serializer = Class.new(Katsu::Serializer) { has_many :some_posts, serializer: PostSerializer, only: [:id] }
    sql = serializer.many(Author.all).explain.to_h[:queries].last[:sql]
    assert_includes sql, %("title" IN ('a', 'b'))
    assert_includes sql, %("author_id" IN (...))
  end

  # A type that has Strings only.
  class CodeType < ActiveRecord::Type::String
    def serialize(value) = value&.delete("-")
  end

  class CodedPost < ActiveRecord::Base
    self.table_name = "posts"
    attribute :title, CodeType.new
    has_many :titled, class_name: name, primary_key: :title, foreign_key: :title
    has_many :titled_like_it, through: :titled, source: :titled
  end

  # No value of a key is made up: not every type has a number as one.
  def test_keys_of_types_that_take_no_number
    serializer = Class.new(Katsu::Serializer) do
      has_many :titled, serializer: AuthorSerializer, only: []
      has_many :titled_like_it, serializer: AuthorSerializer, only: []
    end
    sql = serializer.many(CodedPost.all).explain.to_h[:queries].map { |query| query[:sql] }
    assert_match(/ FROM "posts" WHERE "posts"."title" IN \(\.\.\.\)\z/, sql[1])
    assert_match(/ WHERE "\w+"."title" IN \(\.\.\.\)\z/, sql[2])
  end

  class LastCommentSerializer < Katsu::Serializer
    attributes :body
  end

  class CommentedSerializer < Katsu::Serializer
    attributes :title
    attribute(:size) { |post| [post.title].size }
    has_many :comments, serializer: LastCommentSerializer
    has_one :author, serializer: AuthorSerializer
  end

  def explained(serializer, relation)
    explanation = nil
    assert_empty queries { explanation = serializer.many(relation).explain.to_h }
    [explanation[:queries].map { |query| query[:of] }.sort, explanation[:more_queries]]
  end

  # explain lists as many queries as the document makes.
  def assert_queries(names, relation, serializer = CommentedSerializer)
    assert_equal [names.sort, false], explained(serializer, relation)
    assert_equal names.size, queries { serializer.many(relation).to_json }.size
  end

  def with_posts
    author = Author.create!(name: "a", mentor: Author.create!(name: "m"))
    3.times { |index| author.posts.create!(title: index.to_s, body: "text").comments.create!(body: "b") }
  end

  def test_associations_that_the_relation_joins
    with_posts
    assert_queries %w[Post author], Post.eager_load(:comments)
    assert_queries %w[Post], Post.eager_load(:comments, author: :mentor)
    assert_queries %w[Post comments], Post.includes(:author).references(:author)
    assert_queries %w[Post Post author], Post.eager_load(:comments).limit(2)
    assert_queries %w[Post Post], Post.eager_load(:author, :comments).order(:id).offset(1).limit(2)
    assert_queries %w[Post comments], Post.eager_load(:author).limit(2)
    assert_queries %w[Post Post comments], Post.eager_load(:author).joins(:comments).limit(2)
    assert_queries %w[Post comments author], Post.joins(:comments).limit(2)
  end

  def test_the_statement_of_a_join_with_a_limit
    first, second = CommentedSerializer.many(Post.eager_load(:comments).limit(2)).explain.to_h[:queries]
    assert_match(/\Athe primary keys of the records, by ActiveRecord/, first[:sql])
    assert_match(/LEFT OUTER JOIN "comments" .* WHERE "posts"."id" IN \(\.\.\.\)\z/, second[:sql])
  end

  def test_associations_that_the_relation_preloads
    with_posts
    assert_queries %w[Post comments author author.mentor author.mentor.pupils],
                   Post.preload(author: {mentor: [:pupils]})
    assert_queries %w[Post comments author first_comment], Post.includes(:comments, "first_comment")
    assert_queries %w[Post comments first_comment], Post.eager_load(:author).preload(:first_comment).limit(1)
    assert_queries %w[Post author], Post.preload(:comments), PostSerializer
    loaded = Post.preload(:comments, :author).load
    assert_equal [%w[author comments], false], explained(CommentedSerializer, loaded)
  end

  def test_no_records
    with_posts
    [Post.none, Post.where(id: []), Post.eager_load(:comments).where(id: []).limit(1)].each do |relation|
      assert_queries [], relation
      assert_queries [], relation, PostSerializer
    end
    assert_includes PostSerializer.many(Post.none).explain.to_s, "\nqueries: 0\n"
  end

  class Note < ActiveRecord::Base
    self.table_name = "comments"
    belongs_to :owner, polymorphic: true, foreign_key: :post_id, foreign_type: :body, optional: true
    belongs_to :post, optional: true
    has_one :author, through: :post
    has_many :latest, -> { limit(1) }, class_name: "Comment", primary_key: :post_id, foreign_key: :post_id
  end

  def test_queries_whose_number_the_rows_decide
    more = ->(&block) { Class.new(Katsu::Serializer, &block) }
    owners = more.call { has_one :owner, serializer: AuthorSerializer }
    assert_equal [%w[ExplainTest::Note owner], true], explained(owners, Note.all)
    assert_includes owners.many(Note.all).explain.to_s, "\nqueries: at least 2\n"
    latest = more.call { has_many :latest, serializer: LastCommentSerializer }
    assert_equal [%w[ExplainTest::Note latest], true], explained(latest, Note.all)
    chosen = more.call { has_one :post, serializer: {"Post" => LastCommentSerializer} }
    assert_equal [%w[ExplainTest::Note post], true], explained(chosen, Note.all)
    plain = more.call { attribute(:size) { |note| note[:id] } }
    assert_equal [%w[ExplainTest::Note author], true], explained(plain, Note.preload(:author))
    assert_equal [%w[ExplainTest::Note owner], true], explained(plain, Note.preload(:owner))
  end

  def test_records_through_others
    with_posts
    through = Class.new(Katsu::Serializer) do
      attribute(:size) { |note| note[:id] }
      has_one :author, serializer: AuthorSerializer
    end
    assert_queries %w[ExplainTest::Note author], Note.all, through
    made = queries { through.many(Note.all).to_json }
    shown = through.many(Note.all).explain.to_h[:queries].last[:sql]
    assert_equal made.last[/\A.* WHERE/], shown[/\A.* WHERE/]
    assert_equal [%w[ExplainTest::Note author], true], explained(through, Note.preload(:author))
  end
end
