# frozen_string_literal: true

require "support/test_case"
require "support/database"

# What the code of a field reads: columns only, so that its objects are rows, or the needs: that explain advises.
class CodeReadsTest < TestCase
  KINDS = %w[none one two].freeze

  # Its method has the name of one of String's.
  module Shout
    def self.sub(text) = text << "!"
  end

  # Code that reads columns only and leaves their values as they are.
  COLUMNS = {
    shout: ->(post) { post.title.upcase },
    both: ->(post) { "#{post.title} #{post.body} #{post.id}" },
    cut: ->(post) { post.title[0, 3] + post.title.truncate(5, omission: "!") },
    safe: ->(post) { post.body&.strip },
    shown: ->(post) { post.title if post.draft && post.title.to_s.size > 3 },
    tested: ->(post) { post.title ? 1 : 0 },
    words: ->(post) { post.title.split(" ").map(&:capitalize) },
    sum: ->(post) { [post.views, post.rating, post.price, post.day].compact },
    at: ->(post) { [post.created_at.iso8601(3), post.created_at&.strftime("%d.%m.")] },
    inner: ->(post) { [1].map { |number| post.id + number } },
    renamed: ->(post) { post.headline },
    constant: ->(post) { [KINDS[post.id % 3], post.title.upcase] },
    of_self: -> { "#{object.title} #{scope}" },
    context: ->(_post, context) { context }
  }.freeze

  # Code that reads no more than is known, but not as COLUMNS does: what is read, and the code.
  KNOWN = {
    added: ["[:title]", ->(post) { post.title << "!" }],
    listed: ["[:title]", ->(post) { [post.title].each(&:upcase!) }],
    given: ["[:title]", ->(post) { post.title.tap { |title| title << "!" } }],
    kept: ["[:title]", ->(post) { (title = post.title) && title.upcase! }],
    itself: ["[:title]", ->(post) { post.title.to_s.concat("!") }],
    shouted: ["[:title]", ->(post) { post.title.to_s.upcase! }],
    chosen: ["[:title, :body]", ->(post) { (post.title || post.body) << "!" }],
    returned: ["[:title]", ->(post) { [1].map { post.title }.first << "!" }],
    pushed: ["[:title]", ->(post) { ([] << post.title).first << "!" }],
    appended: ["[:title, :body]", ->(post) { "#{post.title << "!"} #{post.body}" }],
    split: ["[:title]", ->(post) { post.title.split(" ") { |word| word }.upcase! }],
    lines: ["[:title]", ->(post) { post.title.lines(nil).first << "!" }],
    scanned: ["[:title]", ->(post) { post.title.scan(/t/) { |found| found } << "!" }],
    passed: ["[:title]", ->(post) { Shout.sub(post.title) }],
    json: ["[:data]", ->(post) { post.data["a"] = 1 }],
    zoned: ["[:created_at]", ->(post) { post.created_at.utc.to_s }],
    writer: ["[{author: :name}]", ->(post) { post.author&.name }],
    first: ["[:draft, :title, {author: :id}]", ->(post) { post.author.id if post.draft && post.title.size > 3 }],
    counted: ["[:comments]", ->(post) { post.comments.size }],
    bodies: ["[:id, {comments: :body}]", ->(post) { post.comments.map { |comment| [comment.body, post.id] } }],
    both_of_all: ["[{comments: [:body, :id]}]", ->(post) { post.comments.map { |one| one.id if one.body } }],
    ids: ["[{comments: :id}]", ->(post) { post.comments.map(&:id) }],
    deep: ["[{author: {mentor: :name}}]", ->(post) { post.author&.mentor&.name }]
  }.freeze

  # Fields of KNOWN that change a value, which other fields of the record show.
  CHANGING = %i[
    added listed given kept itself shouted chosen returned pushed appended split lines scanned passed json
  ].freeze

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
    whole: ->(post) { post },
    parts: ->((post)) { post.title },
    rest: ->(*posts) { posts.first.title },
    binding: ->(post) { post.id + binding.local_variables.size },
    lambda: ->(_post) { -> { 1 }.binding.local_variable_get(:_post).title },
    helped: -> { help(1) },
    variable: -> { @object.title },
    ensured: lambda { |post|
      begin
        post.id
      ensure
        post.reload
      end
    },
    rescued: lambda { |post|
      begin
        Integer(post.title)
      rescue ArgumentError
        post
      end
    }
  }.freeze

  class PostSerializer < Katsu::Serializer
    COLUMNS.each { |name, code| attribute(name, &code) }
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
    expected = KNOWN.transform_values(&:first).merge(author: "[:draft]")
    found = advice
    expected.each do |name, names|
      assert_equal "say needs: #{names}, as its code reads nothing else", found[name.name], name
    end
    assert_empty found.values_at("heading", *COLUMNS.keys.map(&:name)).compact
  end

  def test_code_that_reads_columns_only_is_given_rows
    Post.create!(title: "a title of two", body: " text ", draft: true, rating: 0.5, price: 2, day: "2026-11-27")
    Post.create!(title: "another", views: nil)
    COLUMNS.each do |name, code|
      serializer = Class.new(Katsu::Serializer) do
        attributes :draft
        attribute(name, &code)
        attribute(:once, unless: code) { 1 } if code.arity < 2
      end
      assert_document(serializer, :rows, name)
    end
    assert_equal %w[id title], Class.new(Katsu::Serializer) { attribute(:up) { |post| post.title.upcase } }
      .columns(Post).map(&:name)
  end

  def test_code_that_may_change_a_value_is_given_records
    Post.create!(title: "a title", body: "text", draft: true, data: {"a" => 2})
    Post.create!(title: "another", body: "", data: {})
    assert_document(with_after(:data), :rows, "without one")
    CHANGING.each { |name| assert_document(with_after(:data, &KNOWN.fetch(name).last), :records, name) }
  end

  # A serializer with a field of that code, and behind it those that show what the code has changed. They alone would be
  # given rows.
  def with_after(*attributes, &code)
    Class.new(Katsu::Serializer) do
      attribute(:before, &code) if code
      attributes(*attributes)
      attribute(:after) { |post| "#{post.title} #{post.body} #{post.created_at.iso8601}" }
    end
  end

  # Whoever is given a block, or a binding, may reach the object, and change the zone of its times.
  def test_code_that_uses_what_is_not_its_objects
    Post.create!(title: "a title", created_at: Time.utc(2026, 11, 27))
    outer = 1.method(:then)
    {
      eval: ->(post) { Kernel.eval("post.title << '!'", Kernel.binding) && post.id },
      block: ->(post) { outer.call { post.id } },
      zone: ->(post) { Time.use_zone("Tokyo") { post.created_at.iso8601 } },
      scope: ->(post) { [scope, [1].map { post.id }] }
    }.each { |name, code| assert_document(with_after(&code), :records, name) }
  end

  class ZonedPost < ActiveRecord::Base
    self.table_name = "posts"
    self.time_zone_aware_attributes = true
  end

  def test_times_in_the_zone
    ZonedPost.create!(title: "a title", created_at: Time.utc(2026, 11, 27))
    Time.use_zone("Tokyo") do
      at = ->(post) { post.created_at.iso8601 }
      assert_document(Class.new(Katsu::Serializer) { attribute(:at, &at) }, :rows, "alone", ZonedPost.all)
      given = Class.new(Katsu::Serializer) { attribute(:at) { |post| "#{scope} #{post.created_at.hour}" } }
      assert_document(given, :records, "with what it is given", ZonedPost.all)
      constant = Class.new(Katsu::Serializer) { attribute(:at) { |post| post.created_at.hour - KINDS.size } }
      assert_document(constant, :records, "with a constant", ZonedPost.all)
    end
  end

  # As records that are loaded are written.
  def assert_document(serializer, way, name, relation = Post.order(:id))
    expected = Katsu::ArraySerializer.new(relation.dup.to_a, each_serializer: serializer, context: 1, scope: :all).to_a
    document = serializer.many(relation, context: 1, scope: :all)
    assert_equal way, document.explain.to_h[:way], name
    assert_equal expected, document.to_a, name
    assert_equal expected, JSON.parse(document.to_json), name
  end

  # What was found out of a method does not hold for the one that takes its place.
  def test_methods_that_are_replaced
    Post.create!(title: "a title", body: "text").comments.create!(body: "yes")
    titles = Module.new { def up = object.title.upcase }
    serializer = Class.new(Katsu::Serializer) do
      include titles
      attributes :up
      def size = object.id - object.id
      attribute :size
    end
    assert_document(serializer, :rows, "as declared")
    up = ->(code) { titles.alias_method(:up, :up) && titles.define_method(:up, &code) } # no warning of Ruby's
    up.call(-> { object.shout })
    assert_document(serializer, :records, "in a module")
    up.call(-> { object.title.downcase })
    assert_document(serializer, :rows, "again")
    serializer.define_method(:object) { super().tap(&:title) }
    assert_document(serializer, :records, "the object")
  end

  class LatePost < ActiveRecord::Base
    self.table_name = "posts"
  end

  def test_readers_that_come_later
    LatePost.create!(title: "a title")
    serializer = Class.new(Katsu::Serializer) { attribute(:up) { |post| post.title.upcase } }
    assert_equal [:rows, '[{"up":"A TITLE"}]'], way_and_text(serializer)
    LatePost.send(:private, :title)
    assert_raises(NoMethodError) { serializer.many(LatePost.all).to_json }
    LatePost.send(:remove_method, :title) # which private has defined
    LatePost.define_method(:title) { "#{super()} of late" }
    assert_equal [:records, '[{"up":"A TITLE OF LATE"}]'], way_and_text(serializer)
  end

  def way_and_text(serializer)
    document = serializer.many(LatePost.all)
    [document.explain.to_h[:way], document.to_json]
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
    known = KNOWN.except(*CHANGING)
    plain = PostSerializer.many(Post.order(:id), only: known.keys)
    assert_equal :records, plain.explain.to_h[:way]
    followed = Class.new(Katsu::Serializer) do
      known.each do |name, (names, code)|
        attribute(name, needs: eval(names), &code) # rubocop:disable Security/Eval -- the advice is Ruby code
      end
    end
    document = followed.many(Post.order(:id))
    assert_equal :rows, document.explain.to_h[:way]
    assert_equal plain.to_a, document.to_a
  ensure
    [Comment, Post, Author].each(&:delete_all)
  end
end
