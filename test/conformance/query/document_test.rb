# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"
require "active_support/cache"
require "timeout"
require "stringio"

# What many and one give, and where it can be put.
class DocumentTest < TestCase
  include Queries

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :data
    has_many :comments, serializer: CommentSerializer
  end

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CachedAuthorSerializer < AuthorSerializer
    cache store: ActiveSupport::Cache::MemoryStore.new
  end

  class NumberSerializer < Katsu::Serializer
    attributes :number
    def number = object
  end

  class ContextSerializer < Katsu::Serializer
    attributes :id, :seen
    def seen = [context, scope]
  end

  def setup
    Post.insert_all!(Array.new(3) { |i| {title: "Größe #{i}", data: {"a" => i}} })
    @posts = Post.order(:id).to_a
    @posts.each { |post| post.comments.create!([{body: "a"}, {body: "b"}]) }
    @expected = Katsu::ArraySerializer.new(Post.order(:id).to_a, each_serializer: PostSerializer).to_json
  end

  def teardown
    Comment.delete_all
    Post.delete_all
  end

  def test_what_it_is_made_of
    relation = Post.order(:id)
    document = PostSerializer.many(relation)
    assert_same PostSerializer, document.serializer
    assert_same relation, document.source
    assert_kind_of String, document.cache_key_with_version
  end

  def many(source = Post.order(:id), **options) = PostSerializer.many(source, **options)

  def test_each_source_of_a_collection
    sources = [Post.order(:id), Post.order(:id).load, @posts, @posts.each, @posts.lazy, @posts.to_set,
               Katsu::Stream.new(@posts)]
    sources.each { |source| assert_equal @expected, watched { many(source).to_json }, source.class }
  end

  def test_each_way_to_its_content
    document = many
    assert_equal @expected, document.to_json
    assert_equal JSON.parse(@expected), document.to_a
    assert_equal JSON.parse(@expected), document.as_json
    assert_equal @expected, document.write_to(StringIO.new).string
    assert_equal @expected, document.each.to_a.join
    document.to_json << " "
    document.each { |chunk| chunk << " " }
    assert_equal @expected, document.to_json # what a caller does to its text
    assert_equal JSON.parse(@expected), document.write_to(StringIO.new, format: :ndjson).string.lines.map { |line|
      JSON.parse(line)
    }
  end

  # As rows, records are read anew by each call, and the relation that was given is not loaded.
  def test_records_are_read_anew
    serializers = [Class.new(Katsu::Serializer) { attribute(:title) { |post| post.title } },
                   Class.new(Katsu::Serializer) { attribute(:title) { |post| post[:title] } }]
    serializers.product([Post.order(:id), Post.all]).each do |serializer, relation|
      document = serializer.many(relation)
      reads = [-> { JSON.parse(document.to_json) }, -> { document.to_a }, -> { JSON.parse(document.each.to_a.join) },
               -> { document.write_to(StringIO.new, format: :ndjson).string.lines }]
      reads.each do |read|
        Post.create!(title: "new")
        assert_equal [Post.count] * 2, [read.call.size, document.size]
      end
      refute_predicate relation, :loaded?
    end
  end

  def test_one_object
    post = @posts[1]
    expected = PostSerializer.new.serialize_to_json(post)
    [post, Post.where(id: post.id)].each do |source|
      assert_equal expected, PostSerializer.one(source).to_json
      assert_equal JSON.parse(expected), PostSerializer.one(source).to_h
      assert_equal "#{expected}\n", PostSerializer.one(source).write_to(StringIO.new, format: :ndjson).string
    end
    assert_equal "null", PostSerializer.one(Post.where(id: 0)).to_json
    assert_equal "null", PostSerializer.one(nil).to_json
    assert_nil PostSerializer.one(nil).to_h
  end

  def test_whether_it_is_of_one_object
    [@posts[1], nil, Post.limit(1)].each { |source| assert PostSerializer.one(source).single? }
    [@posts, [], Post.limit(1), @posts.each].each { |source| refute PostSerializer.many(source).single? }
    refute PostSerializer.many(@posts, by: :id).single?
  end

  def test_filters_context_and_scope
    assert_equal [{"id" => @posts[0].id}], many(@posts.first(1), only: [:id]).to_a
    document = ContextSerializer.many(@posts.first(1), context: 1, scope: "two")
    assert_equal [{"id" => @posts[0].id, "seen" => [1, "two"]}], document.to_a
    assert_equal %([{"id":#{@posts[0].id}}]), many(@posts.first(1)).to_json(only: [:id])
  end

  def test_elements_that_are_no_records
    assert_equal [{"number" => 1}, {"number" => 2}], NumberSerializer.many(1..2).to_a
    mixed = [1, *@posts.first(2), 2].each
    text = NumberSerializer.many(mixed).write_to(StringIO.new, format: :ndjson).string
    assert_equal 4, text.lines.size
    assert_equal [1, 2], text.lines.values_at(0, 3).map { |line| JSON.parse(line).fetch("number") }
  end

  # Of several values that are yielded at once an Array of them, which is no object.
  def test_elements_of_several_values
    [-> { @posts.each.with_index }, -> { @posts.each.with_object(1).lazy }, -> { {a: 1}.each },
     -> { Enumerator.new { |yielder| yielder.yield(@posts[0], 2) } }].each do |source|
      [:to_json, :to_a, ->(document) { document.write_to(StringIO.new) }, ->(document) { document.each.to_a },
       ->(document) { document.write_to(StringIO.new, format: :ndjson) }].map(&:to_proc).each do |way|
        assert_raises(Katsu::NumberError) { way.call(PostSerializer.many(source.call)) }
      end
    end
  end

  # As a cursor may give one.
  def test_one_object_that_has_other_values_each_time
    row = Struct.new(:number).new
    source = Class.new { define_method(:each) { |&block| 3.times { |i| block.call(row.tap { row.number = i }) } } }.new
    serializer = Class.new(Katsu::Serializer) { attributes :number }
    documents = [serializer.many(Katsu::Stream.new(source)),
                 Katsu::ArraySerializer.new(Katsu::Stream.new(source), each_serializer: serializer)]
    documents.each do |document|
      assert_equal '[{"number":0},{"number":1},{"number":2}]', document.to_json
    end
    assert_equal documents[0].to_json, serializer.many(Katsu::Stream.new(source)).write_to(StringIO.new).string
  end

  def test_inside_other_documents
    expected = %({"total":3,"posts":#{@expected}})
    assert_equal expected, watched { Katsu.generate({total: 3, posts: many}) }
    assert_equal expected, Katsu::Response.create { {total: 3, posts: many} }.to_json
    assert_equal expected, Katsu.dump({total: 3, posts: many}, StringIO.new).string
    assert_equal expected, Katsu::Response.create { {total: 3, posts: many} }.write_to(StringIO.new).string
    assert_equal expected, JSON.generate({total: 3, posts: many})
    assert_equal JSON.parse(expected), Katsu::Response.create { {total: 3, posts: many} }.as_json
    assert_equal JSON.parse(expected), JSON.parse(ActiveSupport::JSON.encode({total: 3, posts: many}))
  end

  def test_etag_is_that_of_the_bytes
    document = many
    tag = document.etag
    assert_match(/\A"\h{32}"\z/, tag)
    assert_equal tag, many.etag
    made = queries { assert_equal @expected, document.to_json }
    assert_empty made
    assert_equal @expected, document.each.to_a.join
    document.to_json << " "
    document.each { |chunk| chunk << " " }
    assert_equal @expected, document.to_json # what a caller does to its text
    Post.where(id: @posts[0].id).update_all(title: "another")
    refute_equal tag, many.etag
    assert_equal tag, document.etag
  end

  # Whoever is given a text may change it.
  def test_texts_that_may_be_changed
    Author.create!(name: "Ada")
    sources = {records: Author.all.load, all: Author.all, none: Author.none, missing: Author.where(id: 0),
               ordered: Author.where(id: 0).order(:id), array: [], stream: [].each}
    [AuthorSerializer, CachedAuthorSerializer].product(sources.to_a) do |serializer, (name, source)|
      documents = [serializer.many(source), serializer.many(source).tap(&:etag), serializer.many(source, by: :id)]
      documents << serializer.one(source) if source.is_a?(ActiveRecord::Relation)
      documents.each do |document|
        [document.to_json, Katsu.generate(document), *document.each.to_a].each do |text|
          assert_equal [false, Encoding::UTF_8], [text.frozen?, text.encoding], "#{serializer} #{name} #{text[0, 9]}"
        end
      end
    end
  end

  def test_nothing_is_read_before_it_is_asked_for
    text = "#<Katsu::Document DocumentTest::PostSerializer.many(a relation of Post)>"
    made = queries { assert_equal text, many.inspect }
    assert_empty made
    assert_equal "#<Katsu::Document DocumentTest::PostSerializer.one(Post)>", PostSerializer.one(@posts[0]).inspect
  end

  def test_a_relation_without_an_order_is_streamed_in_batches
    lines = nil
    made = queries { lines = many(Post.all).write_to(StringIO.new, format: :ndjson).string.lines }
    assert_equal 3, lines.size
    assert_match(/ORDER BY .*id.* LIMIT/i, made[0])
    made = queries { many(Post.order(title: :desc)).write_to(StringIO.new) }
    refute_match(/LIMIT/, made[0])
  end

  # It is no end of the objects, wherever it comes from.
  def test_a_stop_iteration_is_raised
    serializer = Class.new(Katsu::Serializer) { attribute(:number) { context.next } }
    numbers = -> { [1, 2].each }
    endless = Enumerator.new { |elements| loop { elements << 1 } }
    %i[json ndjson].each do |format|
      [Post.all, Post.order(:id), Post.all.to_a].each do |source|
        document = serializer.many(source, context: numbers.call)
        assert_raises(StopIteration) { document.write_to(StringIO.new, format: format) }
      end
      assert_raises(Katsu::Error) do
        serializer.many(endless, context: numbers.call).write_to(StringIO.new, format: format)
      end
    end
    assert_raises(StopIteration) { serializer.many(Post.all, context: numbers.call).each { |_| } }
  end

  ActiveRecord::Schema.define { create_table(:document_codes, id: false) { |t| t.column :code, "varchar PRIMARY KEY" } }

  class Code < ActiveRecord::Base
    self.table_name = "document_codes"
    self.primary_key = "code"
  end

  class CodeSerializer < Katsu::Serializer
    attributes :code
  end

  class CodeMethodSerializer < Katsu::Serializer
    attribute(:code) { |object| object.code }
  end

  # SQLite has NULLs in a primary key. A batch that ends with one has no next batch.
  def test_batches_that_end_with_a_primary_key_that_is_nil
    numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001)"
    Code.connection.execute("#{numbers} INSERT INTO document_codes SELECT NULL FROM n")
    [CodeSerializer, CodeMethodSerializer].each do |serializer|
      document = serializer.many(Code.all)
      [-> { document.write_to(StringIO.new) }, -> { document.write_to(StringIO.new, format: :ndjson) },
       -> { document.each { |chunk| chunk } }].each do |call|
        error = assert_raises(ArgumentError) { Timeout.timeout(20) { call.call } }
        assert_match(/DocumentTest::Code .* primary key code, which is nil/, error.message)
      end
      assert_equal 1001, JSON.parse(serializer.many(Code.order(:code)).write_to(StringIO.new).string).size
    end
    Code.delete_all
    Code.connection.execute("INSERT INTO document_codes VALUES (NULL), ('a'), (NULL)")
    assert_equal 3, JSON.parse(CodeSerializer.many(Code.all).write_to(StringIO.new).string).size
  ensure
    Code.delete_all
  end

  def test_sources_that_are_none
    error = assert_raises(Katsu::NumberError) { many(Post) }
    assert_includes error.message, "give it Post.all"
    assert_raises(Katsu::NumberError) { many(@posts[0]) }
    assert_raises(Katsu::NumberError) { many(nil) }
    assert_raises(Katsu::NumberError) { many({}) }
    assert_raises(Katsu::NumberError) { PostSerializer.one(@posts) }
  end

  def test_options_and_formats_that_do_not_exist
    error = assert_raises(ArgumentError) { many(onyl: [:id]) }
    assert_includes error.message, "Did you mean only?"
    error = assert_raises(ArgumentError) { many.write_to(StringIO.new, format: :ndjso) }
    assert_includes error.message, "accepted are :json and :ndjson. Did you mean ndjson?"
    assert_raises(Katsu::InvalidFilterError) { many(only: [:titel]) }
    error = assert_raises(NoMethodError) { many.to_h }
    assert_includes error.message, "to_a is its Array of Hashes"
    assert_raises(NoMethodError) { PostSerializer.one(@posts[0]).to_a }
  end

  def test_an_io_that_takes_less_is_an_error
    io = Object.new
    def io.write(_text) = 1
    error = assert_raises(Katsu::Error) { many(@posts).write_to(io, format: :ndjson) }
    assert_includes error.message, "took 1 of"
  end
end
