# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "support/queries"

# Each association that a serializer reads is loaded with one query for all records.
class PreloadTest < TestCase
  include Queries

  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class CommentSerializer < Katsu::Serializer
    attributes :body
  end

  class PostSerializer < Katsu::Serializer
    attributes :title
    has_one :author, serializer: AuthorSerializer
    has_many :comments, serializer: CommentSerializer
  end

  class WriterSerializer < Katsu::Serializer
    attributes :name
    has_many :posts, serializer: PostSerializer
  end

  class PupilSerializer < Katsu::Serializer
    attributes :name
    has_many :pupils, serializer: PupilSerializer, depth: 2
  end

  class NeedsSerializer < Katsu::Serializer
    attributes :title
    attribute(:size, needs: {comments: :body}) { |post| post.comments.sum { |comment| comment.body.size } }
    attributes :names, needs: [{author: {mentor: :name}}]
    def names = object.author.mentor&.name
  end

  class LazySerializer < Katsu::Serializer
    attributes :title, :size
    def size = object.comments.size
  end

  class BlogSerializer < Katsu::Serializer
    has_many :posts, serializer: LazySerializer
  end

  def setup
    [Comment, Post, Author].each(&:delete_all)
    mentor = Author.create!(name: "Mentor")
    authors = Array.new(3) { |i| Author.create!(name: "author #{i}", mentor: mentor) }
    authors.each do |author|
      2.times { |i| author.posts.create!(title: "#{author.name} #{i}").comments.create!([{body: "a"}, {body: "bc"}]) }
    end
  end

  class Lector < Author
    has_many :remarks, -> { order(:id) }, through: :posts, source: :comments
  end

  class Corrector < Lector
  end

  class LectorSerializer < Katsu::Serializer
    attributes :name
    has_many :remarks, serializer: CommentSerializer
  end

  class TitlesSerializer < Katsu::Serializer
    attribute(:titles, needs: {posts: {comments: :body}}) { |author| author.posts.map { |post| post.comments.size } }
  end

  # It may never be written; if it is, the reader raises ActiveRecord's error.
  def test_keys_that_select_left_out
    serializer = Class.new(Katsu::Serializer) do
      attributes :title
      nested(:more, if: -> { scope }) { has_one(:author) { attributes :name } }
    end
    [Post.select(:id, :title).order(:id), Post.select(:id, :title).order(:id).to_a].each do |posts|
      assert_equal Post.order(:id).map { |post| {"title" => post.title} }, serializer.many(posts).to_a
      assert_raises(ActiveModel::MissingAttributeError) { serializer.many(posts, scope: true).to_json }
    end
  end

  # Subclasses of a model have its associations.
  def test_subclasses_share_queries
    Author.where(name: ["author 1", "Mentor"]).update_all(type: Lector.name)
    Author.where(name: "author 2").update_all(type: Corrector.name)
    sources = {WriterSerializer => [Author, 2], TitlesSerializer => [Author, 2], PupilSerializer => [Author, 2],
               LectorSerializer => [Lector, 1]}
    sources.each do |serializer, (model, count)|
      expected = Katsu::ArraySerializer.new(model.order(:id), each_serializer: serializer).to_json
      authors = model.order(:id).to_a
      made = queries { assert_equal expected, serializer.many(authors).to_json }
      assert_equal count, made.size, made.join("\n")
    end
  end

  def teardown
    [Comment, Post, Author].each(&:delete_all)
    Katsu.configure { |config| config.on_lazy_load = :allow }
  end

  def plain(records, serializer) = Katsu::ArraySerializer.new(records, each_serializer: serializer).to_json

  def test_a_query_for_each_association
    expected = plain(Author.order(:id).to_a, WriterSerializer)
    [-> { Author.order(:id) }, -> { Author.order(:id).load }, -> { Author.order(:id).to_a }, -> {
      Author.order(:id).to_a.each
    }].each do |source|
      source = source.call
      loaded = source.is_a?(ActiveRecord::Relation) && !source.loaded? ? 1 : 0
      made = queries { assert_equal expected, watched { WriterSerializer.many(source).to_json } }
      assert_operator made.size, :<=, loaded + 3
      assert_operator made.size, :>=, loaded + 2
    end
  end

  def test_one_record
    author = Author.where.not(mentor_id: nil).first
    expected = plain([Author.find(author.id)], WriterSerializer)[1..-2]
    assert_operator queries { assert_equal expected, WriterSerializer.one(author).to_json }.size, :<=, 3
  end

  def test_names_of_what_is_read
    assert_equal [{posts: %i[author comments]}], WriterSerializer.preloads
    assert_equal [{posts: %i[author comments]}], WriterSerializer.preloads(Author)
    assert_equal [{posts: [:author]}], WriterSerializer.preloads(except: {posts: [:comments]})
    assert_equal [{pupils: [:pupils]}], PupilSerializer.preloads(Author)
    assert_equal [{author: [:mentor]}, :comments].sort_by(&:to_s), NeedsSerializer.preloads(Post).sort_by(&:to_s)
    assert_equal %i[title], PostSerializer.columns
    assert_equal %i[id title author_id], PostSerializer.columns(Post)
    assert_equal [], Class.new(Katsu::Serializer) { attributes :recent }.preloads(Post)
    assert_equal Author.count, Author.includes(WriterSerializer.preloads).to_a.size
    assert_raises(ArgumentError) { PostSerializer.preloads(:post) }
  end

  def test_what_is_loaded_is_not_loaded_again
    posts = Post.includes(:author, :comments).to_a
    assert_empty(queries { PostSerializer.many(posts).to_json })
    posts = Post.includes(:author).to_a
    posts.first.comments.load
    assert_equal 1, queries { PostSerializer.many(posts).to_json }.size
    assert_empty(queries { PostSerializer.many(posts).to_json })
  end

  # Its reader would load each record's again.
  def test_associations_whose_key_has_changed
    second, third = Author.order(:id).last(2)
    loaded = -> { Post.order(:id).includes(author: :mentor).to_a }
    serializer = Class.new(Katsu::Serializer) { has_one(:author) { attributes :name } }
    key = ->(id) { ->(post) { post.author_id = id } }
    changes = {one: key[second.id], none: key[nil], unknown: key[0],
               saved: ->(post) { post.update!(author_id: third.id) },
               built: ->(post) { post.build_author && (post.author_id = second.id) },
               same: ->(post) { post.author.name = "kept" }}
    changes.each do |name, change|
      expected = loaded.call.each(&change).map { |post| {"author" => post.author && {"name" => post.author.name}} }
      %i[to_a to_json].each do |call|
        posts = loaded.call.each(&change)
        result = nil
        made = queries { result = serializer.many(posts).public_send(call) }
        assert_equal expected, call == :to_a ? result : JSON.parse(result), name
        assert_operator made.size, :<=, 1, name
        assert_equal expected.map { |post| post.dig("author", "name") }, posts.map { |post| post.author&.name }
      end
    end
    posts = loaded.call.each(&key[second.id])
    assert_equal 3, queries { NeedsSerializer.many(posts).to_json }.size
  end

  def test_what_is_not_saved_is_kept
    posts = Post.order(:id).to_a
    posts[0].comments.build(body: "built")
    posts[1].build_author(name: "new")
    posts << Post.new(title: "unsaved", author: Author.new(name: "newer"), comments: [Comment.new(body: "new")])
    expected = plain(posts.map { |post| post }, PostSerializer)
    posts = Post.order(:id).to_a
    posts[0].comments.build(body: "built")
    posts[1].build_author(name: "new")
    posts << Post.new(title: "unsaved", author: Author.new(name: "newer"), comments: [Comment.new(body: "new")])
    assert_equal expected, PostSerializer.many(posts).to_json
    assert_includes expected, "built"
    assert(posts[0].comments.any?(&:new_record?))
  end

  # An association that holds them is loaded with the others.
  def test_what_is_not_saved_is_kept_without_queries_of_its_own
    make = -> { Post.order(:id).each { |post| post.comments.build(body: "built") if post.id.odd? } }
    expected = plain(make.call, PostSerializer)
    posts = make.call
    Katsu.configure { |config| config.on_lazy_load = :raise }
    assert_equal 2, queries { assert_equal expected, PostSerializer.many(posts).to_json }.size
    assert_includes expected, "built"
    assert(posts.select { |post| post.id.odd? }.all? { |post| post.comments.last.new_record? })
  end

  class Shelf < ActiveRecord::Base
    self.table_name = "authors"
    self.inheritance_column = nil
    has_many :books, class_name: "PreloadTest::Book", foreign_key: :author_id, inverse_of: :shelf
  end

  class Book < ActiveRecord::Base
    self.table_name = "posts"
    self.has_many_inversing = true # as in Rails
    belongs_to :shelf, class_name: "PreloadTest::Shelf", foreign_key: :author_id, inverse_of: :books
  end

  class ShelfSerializer < Katsu::Serializer
    attributes :name
    has_many(:books) { attributes :title }
  end

  class BookSerializer < Katsu::Serializer
    attributes :title
    has_one :shelf, serializer: ShelfSerializer
  end

  # When the owner is loaded it is given the record that it was loaded for.
  def test_has_many_inversing
    expected = plain(Book.order(:id).to_a, BookSerializer)
    books = Book.order(:id).to_a
    assert_equal 2, queries { assert_equal expected, BookSerializer.many(books).to_json }.size
    books = Book.order(:id).each { |book| book.title = "changed" if book.id == books[0].id }
    assert_includes BookSerializer.many(books).to_json, '"books":[{"title":"changed"},'
  end

  def test_associations_within_themselves_as_deep_as_declared
    expected = plain(Author.order(:id).to_a, PupilSerializer)
    assert_operator queries { assert_equal expected, PupilSerializer.many(Author.order(:id)).to_json }.size, :<=, 3
  end

  def test_what_a_method_field_needs_is_loaded
    expected = plain(Post.order(:id).to_a, NeedsSerializer)
    assert_equal 4, queries { assert_equal expected, NeedsSerializer.many(Post.order(:id)).to_json }.size
  end

  def test_needs_that_are_wrong
    [3, "", [:title, :""], {author: [nil]}].each do |wrong|
      error = assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { attribute(:a, needs: wrong) { |_| 1 } } }
      assert_includes error.message, "needs: #{wrong.inspect}; accepted are the names of columns and associations"
    end
    serializer = Class.new(Katsu::Serializer) { attribute(:a, needs: [:titel]) { |post| post.title } }
    error = assert_raises(ArgumentError) { serializer.many(Post.all).to_json }
    assert_includes error.message, "names :titel, which is no column or association of Post. Did you mean title?"
    serializer = Class.new(Katsu::Serializer) { attribute(:a, needs: {author: :nam}) { |post| post.title } }
    error = assert_raises(ArgumentError) { serializer.many(Post.all).to_json }
    assert_includes error.message, "of Author. Did you mean name?"
  end

  def test_queries_of_method_fields_are_logged_with_their_path
    Katsu.configure { |config| config.on_lazy_load = :log }
    text = StringIO.new
    logger = ActiveRecord::Base.logger
    ActiveRecord::Base.logger = Logger.new(text, level: :warn)
    BlogSerializer.many(Author.order(:id)).to_json
    assert_includes text.string, "PreloadTest::BlogSerializer: 6 queries in posts.size while it was written"
  ensure
    ActiveRecord::Base.logger = logger
  end

  def test_queries_of_method_fields_are_errors_with_their_place
    Katsu.configure { |config| config.on_lazy_load = :raise }
    error = assert_raises(Katsu::LazyLoadError) { BlogSerializer.many(Author.order(:id)).to_json }
    assert_match(/a query in posts.size .*Comment .*SELECT/, error.message)
    assert_equal "[1].posts[0].size", error.field_path
    expected = plain(Post.includes(author: :mentor, comments: []).order(:id).to_a, NeedsSerializer)
    assert_equal expected, NeedsSerializer.many(Post.order(:id)).to_json
  end

  # A scope with a limit cannot be loaded for all authors at once.
  def test_queries_of_associations_that_are_loaded_for_each_record
    Author.has_many(:two_posts, -> { order(:id).limit(2) }, class_name: "Post")
    serializer = Class.new(Katsu::Serializer) do
      has_many(:two_posts, serializer: Class.new(Katsu::Serializer) { attributes :title })
    end
    Katsu.configure { |config| config.on_lazy_load = :raise }
    error = assert_raises(Katsu::LazyLoadError) { serializer.many(Author.order(:id)).to_json }
    assert_includes error.message, "or in an association that is loaded for each record by itself (explain names it)"
    assert_match(/two_posts .*limit/, serializer.many(Author.order(:id)).explain.to_s)
  end

  class RuledSerializer < Katsu::Serializer
    attribute(:first, default: 1) { |post| post.id }
    attribute(:second, default: 1) { |post| scope == :second ? post.comments.count : 1 }
    attribute :third, omit_nil: true
    attribute(:fourth,
              default: ->(post) { scope == :fourth ? post.comments.count : 1 }) { nil }
    attribute :title, format: lambda { |title|
      scope == :title ? Comment.count : title
    }

    def third
      scope == :third ? object.comments.count : 1
    end
  end

  def test_queries_of_fields_that_have_a_rule
    Katsu.configure { |config| config.on_lazy_load = :raise }
    RuledSerializer.many(Post.order(:id)).to_json
    %i[second third fourth title].each do |name|
      error = assert_raises(Katsu::LazyLoadError) { RuledSerializer.many(Post.order(:id), scope: name).to_json }
      assert_match(/a query in #{name} while/, error.message)
    end
  end

  class NestedDocuments < Katsu::Serializer
    class Title < Katsu::Serializer
      attributes :title
    end

    attribute(:many, if: -> { scope == :many }) { |author| Title.many(Post.where(author_id: author.id)) }
    attribute(:one, if: -> { scope == :one }) { |author| Title.one(Post.where(author_id: author.id)) }
    attribute(:render, if: -> { scope == :render }) { |author| Title.render(Post.where(author_id: author.id)) }
    attribute(:etag, if: -> { scope == :etag }) { |author| Title.many(Post.where(author_id: author.id)).etag }
    attribute(:associated, if: -> { scope == :associated }) { |author| NeedsSerializer.many(author.posts) }
    attribute(:by, if: -> { scope == :by }) { |author| Title.many(Post.where(author_id: author.id), by: :title) }
  end

  # They are loaded for each object of the document around.
  def test_queries_of_documents_in_fields
    Katsu.configure { |config| config.on_lazy_load = :raise }
    %i[many one render etag associated by].each do |name|
      document = NestedDocuments.many(Author.order(:id), scope: name)
      error = assert_raises(Katsu::LazyLoadError, name) { document.to_json }
      assert_match(/a query in (#{name}|a document that a field gives,.*) while/, error.message)
    end
  end

  # What they load for all of their own objects is no lazy load of theirs.
  def test_queries_of_documents_in_fields_belong_to_the_document_around
    text = StringIO.new
    logger = ActiveRecord::Base.logger
    ActiveRecord::Base.logger = Logger.new(text, level: :warn)
    Katsu.configure { |config| config.on_lazy_load = :log }
    authors = Author.order(:id).load
    NestedDocuments.many(authors, scope: :associated).to_json
    lines = text.string.lines.grep(/katsu: /)
    assert_equal 1, lines.size, text.string
    assert_match(/NestedDocuments: \d+ queries in a document that a field gives,/, lines.first)
  ensure
    ActiveRecord::Base.logger = logger
  end

  class TitleSerializer < Katsu::Serializer
    attributes :title
  end

  # The batches of a source are queries that belong to nobody's field, however late they come.
  def test_queries_of_a_source_that_is_read_while_it_is_written
    Katsu.configure { |config| config.on_lazy_load = :raise }
    sources = [-> { Post.order(:id).find_each(batch_size: 1) }, -> { Katsu::Stream.new(Post.all) },
               -> { Post.order(:id).find_each(batch_size: 1).lazy.map { |post| post.tap { post.comments.to_a } } }]
    expected = plain(Post.order(:id).to_a, TitleSerializer)
    sources.each do |source|
      assert_equal expected, TitleSerializer.many(source.call).write_to(StringIO.new).string
      lines = TitleSerializer.many(source.call).write_to(StringIO.new, format: :ndjson).string
      assert_equal expected, "[#{lines.chomp.tr("\n", ",")}]"
      fields = RuledSerializer.many(source.call, scope: :fourth)
      error = assert_raises(Katsu::LazyLoadError) { fields.write_to(StringIO.new) }
      assert_match(/a query in fourth while/, error.message)
    end
  end

  # A source that is left early, or that fails, leaves no document around looked after in the wrong way.
  def test_a_source_that_fails_while_it_is_read
    Katsu.configure { |config| config.on_lazy_load = :raise }
    source = Enumerator.new do |elements|
      elements << Post.first
      raise IOError, "closed"
    end
    assert_raises(IOError) { TitleSerializer.many(source).write_to(StringIO.new) }
    assert_equal 6, Post.count
    error = assert_raises(Katsu::LazyLoadError) { RuledSerializer.many(Post.all, scope: :second).to_json }
    assert_match(/a query in second while/, error.message)
  end

  def test_settings_that_do_not_exist
    error = assert_raises(ArgumentError) { Katsu.configure { |config| config.on_lazy_load = :rais } }
    assert_includes error.message, "accepted are :allow, :log, :raise. Did you mean raise?"
  end
end
