# frozen_string_literal: true

require "support/test_case"
require "support/database"

# The needs: that explain advises, by what the code of a field reads.
class CodeReadsTest < TestCase
  # What is read, and the code.
  KNOWN = {
    shout: ["[:title]", ->(post) { post.title.upcase }],
    both: ["[:title, :body]", ->(post) { "#{post.title} #{post.body}" }],
    writer: ["[{author: :name}]", ->(post) { post.author&.name }],
    first: ["[:draft, :title, {author: :id}]", ->(post) { post.author.id if post.draft && post.title.size > 3 }],
    counted: ["[:comments]", ->(post) { post.comments.size }],
    bodies: ["[:id, {comments: :body}]", ->(post) { post.comments.map { |comment| [comment.body, post.id] } }],
    both_of_all: ["[{comments: [:body, :id]}]", ->(post) { post.comments.map { |one| one.id if one.body } }],
    ids: ["[{comments: :id}]", ->(post) { post.comments.map(&:id) }],
    deep: ["[{author: {mentor: :name}}]", ->(post) { post.author&.mentor&.name }],
    inner: ["[:id]", ->(post) { [1].map { |number| post.id + number } }],
    renamed: ["[:headline]", ->(post) { post.headline }],
    of_self: ["[:title]", -> { "#{object.title} #{scope}" }],
    context: ["[]", ->(_post, context) { context }]
  }.freeze

  # Of which nothing is known.
  UNKNOWN = {
    array: ->(post) { [post, 1].size },
    assigned: ->(post) { (other = post).title + other.body },
    changed: ->(post) { (post = post.author) && post.id },
    argument: ->(post) { post.read_attribute(:title) },
    query: ->(post) { post.draft? },
    method: ->(post) { post.shout },
    extra: ->(post) { post.stars },
    objects: ->(post) { post.comments.select { |comment| comment.body }.size },
    walked: ->(post) { post.comments.each { |comment| comment.id }.map(&:body) },
    once: ->(post) { "t".match?(/#{post.title}/o) },
    collections: ->(post) { post.author.posts.flat_map(&:comments).size },
    relation: ->(post) { post.comments.order(:id).size },
    text: ->(post) { "#{post}" }, # rubocop:disable Style/RedundantInterpolation -- to_s may read anything
    itself: ->(post) { post },
    helped: -> { help(1) },
    variable: -> { @object.title },
    rescued: lambda { |post|
      begin
        Integer(post.title)
      rescue ArgumentError
        post
      end
    }
  }.freeze

  class PostSerializer < Katsu::Serializer
    KNOWN.each { |name, (_, code)| attribute(name, &code) }
    UNKNOWN.each { |name, code| attribute(name, &code) }
    attributes :heading, :parent
    has_one(:author, if: -> { object.draft }) { attributes :id }

    def heading
      return unless object.draft

      object.title
    end

    def parent = super.to_s

    def help(number) = object.id + number
  end

  # object is a field, and scope reads one.
  class OwnObjectSerializer < Katsu::Serializer
    attributes :object, :title, :views

    def object = 1
    def title = object.title
    def views = scope
    def scope = @object.body
  end

  class CountedPost < Post
    has_many :kept, -> { order(:id) }, class_name: "Comment", foreign_key: :post_id, counter_cache: :views
    has_many(:own, class_name: "Comment", foreign_key: :post_id) { def size = 42 }
  end

  class CountedSerializer < Katsu::Serializer
    attribute(:kept) { |post| post.kept.size }
    attribute(:own) { |post| post.own.size }
  end

  def advice(serializer = PostSerializer)
    serializer.many(Post.all).explain.to_h.fetch(:fields).to_h { |field| field.values_at(:path, :faster) }
  end

  def setup
    skip "only CRuby shows its instructions" unless RUBY_ENGINE == "ruby"
  end

  def test_what_the_code_reads
    expected = KNOWN.transform_values(&:first).merge(heading: "[:draft, :title]", author: "[:draft]")
    found = advice
    expected.each do |name, names|
      assert_equal "say needs: #{names}, as its code reads nothing else", found[name.name], name
    end
  end

  def test_code_of_which_nothing_is_known
    found = advice
    [*UNKNOWN.keys, :parent].each do |name|
      assert_equal "say by needs: which columns and associations it reads", found[name.name], name
    end
    of_others = advice(OwnObjectSerializer).slice("title", "views").values
    of_others += CountedSerializer.many(CountedPost.all).explain.to_h.fetch(:fields).map { |field| field[:faster] }
    assert_equal ["say by needs: which columns and associations it reads"], of_others.uniq
    assert_equal 4, of_others.size
  end

  # A serializer that follows the advice writes the same, without records.
  def test_the_advice_is_enough
    author = Author.create!(name: "Ann", mentor: Author.create!(name: "Bob"))
    Post.create!(title: "a title", body: "text", draft: true, author: author).comments.create!([{body: "yes"}, {}])
    Post.create!(title: "another", body: "")
    plain = PostSerializer.many(Post.order(:id), only: KNOWN.keys, context: 1, scope: :all)
    assert_equal :records, plain.explain.to_h[:way]
    followed = Class.new(Katsu::Serializer) do
      KNOWN.each do |name, (names, code)|
        attribute(name, needs: eval(names), &code) # rubocop:disable Security/Eval -- the advice is Ruby code
      end
    end
    document = followed.many(Post.order(:id), context: 1, scope: :all)
    assert_equal :rows, document.explain.to_h[:way]
    assert_equal plain.to_a, document.to_a
  ensure
    [Comment, Post, Author].each(&:delete_all)
  end
end
