# frozen_string_literal: true

require "support/test_case"
require "support/database"

# transform_keys: declared names that are written in another way.
class TransformKeysTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :full_name
    def full_name = object.name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :created_at, :author_id
    aliases title: :post_title
    attribute(:word_count) { |post| post.body.size }
    has_one :author, serializer: AuthorSerializer
    has_one(:first_comment) { attributes :post_id }
    has_many :comments, name: :all_comments, serializer: "TransformKeysTest::CommentSerializer"
  end

  class CommentSerializer < Katsu::Serializer
    attributes :post_id
  end

  class CamelSerializer < PostSerializer
    transform_keys :lower_camel
  end

  class PlainSerializer < CamelSerializer
    transform_keys :none
  end

  def post
    comments = [Comment.new(id: 4, post_id: 1)]
    @post ||= Post.new(id: 1, title: "a", body: "bb", author: Author.new(id: 2, name: "Ada"), comments: comments,
                       first_comment: comments[0])
  end

  def keys(serializer, **options)
    text = watched { serializer.new(options).serialize_to_json(post) }
    hash = JSON.parse(text)
    assert_equal hash, watched { serializer.new(options).serialize(post) }
    tree(hash)
  end

  def tree(value)
    case value
    when Hash then value.map { |key, inner| inner.is_a?(Hash) || inner.is_a?(Array) ? {key => tree(inner)} : key }
    when Array then value.map { |inner| tree(inner) }
    end
  end

  DECLARED = ["id", "created_at", "author_id", "post_title", "word_count", {"author" => ["full_name"]},
              {"first_comment" => ["post_id"]},
              {"all_comments" => [["post_id"]]}].freeze
  # Of the class: its own keys, and those of associations that it or a parent declares in place.
  OWN = ["id", "createdAt", "authorId", "postTitle", "wordCount", {"author" => ["full_name"]},
         {"firstComment" => ["postId"]},
         {"allComments" => [["post_id"]]}].freeze
  ALL = ["id", "createdAt", "authorId", "postTitle", "wordCount", {"author" => ["fullName"]},
         {"firstComment" => ["postId"]},
         {"allComments" => [["postId"]]}].freeze

  def test_of_a_class
    assert_equal OWN, keys(CamelSerializer)
    assert_equal DECLARED, keys(PostSerializer)
    assert_equal DECLARED, keys(PlainSerializer)
  end

  class PlaceSerializer < Katsu::Serializer
    transform_keys :camel
    has_one(:first_comment) { attributes :post_id }
    has_one :author do
      transform_keys :dash
      attributes :mentor_id
    end
  end

  def test_associations_in_place_follow_unless_they_have_their_own
    assert_equal [{"FirstComment" => ["PostId"]}, {"Author" => ["mentor-id"]}], keys(PlaceSerializer)
  end

  class WholeSerializer < Katsu::Serializer
    transform_keys :lower_camel
  end

  class PartSerializer < Katsu::Serializer
  end

  INHERITED = lambda do |serializer|
    serializer.attributes :author_id
    serializer.nested(:own_words) { attributes :word_count }
    serializer.has_one :first_comment do
      attributes :post_id
      has_many(:many_likes) { attributes :post_id }
      has_many(:many_posts, serializer: AuthorSerializer)
      nested(:the_rest) { attributes :post_id }
    end
    serializer.has_many(:all_comments, view: :long) { view(:long) { attributes :post_id } }
    serializer.has_one(:last_comment) do
      transform_keys :dash
      attributes :post_id
      nested(:the_rest) { attributes :post_id }
    end
  end
  INHERITED.call(WholeSerializer)
  INHERITED.call(PartSerializer)

  def inherited(serializer, **options)
    comment = {post_id: 1, many_likes: [{post_id: 2}], many_posts: [Author.new(name: "a")]}
    object = {author_id: 1, word_count: 2, first_comment: comment, all_comments: [comment], last_comment: comment}
    text = watched { serializer.new(options).serialize_to_json(object) }
    assert_equal JSON.parse(text), watched { serializer.new(options).serialize(object) }
    text
  end

  # The keys in what a parent declares in place follow the rule of the class, as if it were written as one.
  def test_associations_in_place_of_a_parent
    whole = '{"authorId":1,"ownWords":{"wordCount":2},"firstComment":{"postId":1,"theRest":{"postId":1},' \
            '"manyLikes":[{"postId":2}],"manyPosts":[{"full_name":"a"}]},' \
            '"lastComment":{"post-id":1,"the-rest":{"post-id":1}},"allComments":[{"postId":1}]}'
    camel = Class.new(PartSerializer) do
      transform_keys :lower_camel
      view(:own) { exclude :author_id }
    end
    assert_equal whole, inherited(WholeSerializer)
    [camel, Class.new(camel)].each do |serializer|
      2.times { assert_equal whole, inherited(serializer) }
      assert_equal whole.sub('"authorId":1,', ""), inherited(serializer, view: :own)
      assert_equal whole.gsub(/(post|full|the)[-_](.)/) { "#{$1}#{$2.upcase}" },
                   inherited(serializer, transform_keys: :lower_camel)
    end
    assert_same camel.plan.steps.last.plan, Class.new(camel).plan.steps.last.plan
    plain = whole.gsub(/"[a-z]+[A-Z]\w*/) { |key| key.gsub(/[A-Z]/) { "_#{_1.downcase}" } }
    assert_equal plain, inherited(PartSerializer)
    assert_equal plain, inherited(Class.new(camel) { transform_keys :none })
    shout = ->(key) { key.upcase }
    assert_equal plain.gsub(/"(?!full)\w+":/, &:upcase), inherited(Class.new(camel) { transform_keys shout })
  end

  def test_fields_in_place_of_a_parent
    camel = Class.new(PartSerializer) { transform_keys :lower_camel }
    allowed = [:author_id, {first_comment: [:post_id, {many_likes: [:post_id]}]}]
    filter = camel.fields("firstComment.manyLikes.postId", allow: allowed)
    assert_equal WholeSerializer.fields("firstComment.manyLikes.postId", allow: allowed), filter
    assert_equal '{"firstComment":{"manyLikes":[{"postId":2}]}}', inherited(camel, only: filter)
  end

  def test_of_a_call
    assert_equal ALL, keys(PostSerializer, transform_keys: :lower_camel)
    assert_equal ALL, keys(CamelSerializer, transform_keys: :lower_camel)
    assert_equal DECLARED, keys(CamelSerializer, transform_keys: :none)
    assert_equal ["Id", "CreatedAt"], keys(PostSerializer, transform_keys: :camel, only: %i[id created_at])
    assert_equal ["id", "created-at"], keys(CamelSerializer, transform_keys: :dash, only: %i[id created_at])
    assert_equal ["ID", "CREATED_AT"], keys(PostSerializer, transform_keys: ->(key) {
      key.upcase
    }, only: %i[id created_at])
    assert_equal ["id"], keys(PostSerializer, transform_keys: :to_s.to_proc, only: %i[id])
    assert_equal '{"posts":[{"createdAt":null}]}',
                 PostSerializer.render([post], root: :posts, only: [:created_at], transform_keys: :lower_camel)
    assert_equal '[{"createdAt":null}]',
                 PostSerializer.many([post], only: [:created_at], transform_keys: :lower_camel).to_json
  end

  UPCASE = ->(key) { key.upcase }

  class PersonSerializer < Katsu::Serializer
    attributes :name
    has_one :friend, serializer: "TransformKeysTest::PersonSerializer", depth: 2
    has_one :boss, serializer: "TransformKeysTest::BossSerializer", depth: 1
  end

  class BossSerializer < Katsu::Serializer
    attributes :name
    has_one :friend, serializer: "TransformKeysTest::PersonSerializer", depth: 1
  end

  # A lambda that Ractors can share is copied for them.
  def test_a_callable_leads_as_deep_as_none
    person = (1..8).reduce(nil) { |friend, name| {name: name, friend: friend, boss: friend} }
    expected = PersonSerializer.new.serialize_to_json(person).upcase
    assert_equal expected, PersonSerializer.new(transform_keys: UPCASE).serialize_to_json(person)
    assert_equal expected, PersonSerializer.new(transform_keys: ->(key) { UPCASE.call(key) }).serialize_to_json(person)
  end

  def test_of_all
    Katsu.configure { |config| config.transform_keys = :lower_camel }
    assert_equal ALL, keys(PostSerializer)
    nested = {"author" => ["full_name"], "first_comment" => ["post_id"], "all_comments" => [["post_id"]]}
    assert_equal DECLARED, keys(PlainSerializer).map { |key| key.is_a?(Hash) ? nested.slice(*key.keys) : key }
    assert_equal :lower_camel, Katsu.config.transform_keys
    assert_raises(ArgumentError) { Class.new(Katsu::Serializer) { attributes :full_name, :fullName } }
  ensure
    Katsu.configure { |config| config.transform_keys = nil }
    assert_equal DECLARED, keys(PostSerializer)
  end

  def test_filters_speak_of_declared_names
    assert_equal ["createdAt", {"author" => ["full_name"]}], keys(CamelSerializer, only: %i[created_at author])
    error = assert_raises(Katsu::InvalidFilterError) { CamelSerializer.new(only: [:createdAt]) }
    assert_match(/names :createdAt, which it does not declare\. Did you mean created_at\?/, error.message)
  end

  class SwappedSerializer < Katsu::Serializer
    transform_keys({"title" => "body", "body" => "title"}.method(:[]))
    attributes :title, :body
  end

  # What leaves keys out of a document that is rendered.
  def rendered(document, **options)
    text = document.to_json(options)
    assert_equal text, JSON.generate(document.as_json(options))
    assert_equal text, Katsu::Response.new(document).to_json(options)
    text
  end

  def test_filters_of_rendering_speak_of_declared_names
    objects = [{id: 1, author_id: 2, created_at: 3}]
    options = {only: %i[id author_id created_at]}
    camel = CamelSerializer
    given = {transform_keys: :lower_camel, **options}
    lists = [{each_serializer: camel, **options}, {each_serializer: camel, by: :id, **options},
             {each_serializer: {Hash => camel}, **options}, {each_serializer: {"Hash" => PostSerializer}, **given}]
    documents = lists.map { |list| Katsu::ArraySerializer.new(objects, list) }
    documents << camel.many(objects, options) << camel.many(objects, by: :id, **options)
    documents << camel.one(objects[0], options) << PostSerializer.many(objects, given)
    documents.each do |document|
      assert_includes rendered(document, except: [:created_at]), '{"id":1,"authorId":2}'
      assert_includes rendered(document, except: ["createdAt"]), '{"id":1,"authorId":2}'
      assert_includes rendered(document, only: %w[id created_at no_such_name]), '{"id":1,"createdAt":3}'
      assert_includes rendered(document, only: :createdAt), '{"createdAt":3}'
    end
    document = camel.one(objects[0], transform_keys: :none, **options)
    assert_equal '{"id":1,"author_id":2}', rendered(document, except: [:created_at])
  end

  def test_filters_of_rendering_for_associations_and_views
    object = {id: 1, title: "a", comments: [], full_name: "b"}
    serializer = Class.new(CamelSerializer) { view(:named) { attributes :full_name } }
    document = serializer.one(object, only: %i[post_title comments full_name], view: :named)
    assert_equal '{"postTitle":"a","fullName":"b","allComments":[]}', rendered(document)
    assert_equal '{"postTitle":"a","fullName":"b"}', rendered(document, except: [:comments])
    assert_equal '{"postTitle":"a","fullName":"b"}', rendered(document, except: [:all_comments])
    assert_equal '{"fullName":"b"}', rendered(document, only: [:full_name])
  end

  # A declared name means its field, whatever is written under that key.
  def test_filters_of_rendering_by_a_name_that_is_another_key
    document = SwappedSerializer.one({title: 1, body: 2})
    assert_equal '{"body":1}', rendered(document, only: [:title])
    assert_equal '{"title":2}', rendered(document, except: [:title])
  end

  class FailingSerializer < Katsu::Serializer
    transform_keys :lower_camel
    attributes :no_such_name
    attribute(:my_ratio) { 1 / 0 }
  end

  def test_errors_speak_of_declared_names
    error = assert_raises(ZeroDivisionError) { FailingSerializer.new(only: [:my_ratio]).serialize_to_json(post) }
    assert_equal "my_ratio", error.field_path
    error = assert_raises(Katsu::UnknownAttributeError) do
      FailingSerializer.new(only: [:no_such_name]).serialize_to_json(post)
    end
    assert_match(/declares no_such_name/, error.message)
  end

  def test_kinds
    names = %w[id created_at a_b_c _id __x_y a__b draft? éa_éb URL]
    written = {
      lower_camel: %w[id createdAt aBC _id __xY aB draft? éaÉb URL],
      camel: %w[Id CreatedAt ABC _Id __XY AB Draft? ÉaÉb URL],
      dash: %w[id created-at a-b-c _id __x-y a--b draft? éa-éb URL], none: names
    }
    written.each do |kind, expected|
      assert_equal expected, names.map { |name| Katsu::Serializer::KeyTransform.key_as(kind, name) }
    end
  end

  def declared(&body)
    Class.new(Katsu::Serializer) do
      def self.to_s = "S"
      class_eval(&body)
    end
  end

  def test_mistakes
    {
      "S: transform_keys :lower_camle; accepted are :lower_camel, :camel, :dash, :none " \
      "and a callable that takes a key. Did you mean lower_camel?" =>
        -> { declared { transform_keys :lower_camle } },
      "S: transform_keys 3; accepted are :lower_camel, :camel, :dash, :none and a callable that takes a key." =>
        -> { declared { attributes :id }.new(transform_keys: 3) },
      "Katsu.configure: transform_keys :snake; accepted are :lower_camel, :camel, :dash, :none " \
      "and a callable that takes a key." =>
        -> { Katsu.configure { |config| config.transform_keys = :snake } },
      "S: transform_keys takes a kind or a block" => -> { declared { transform_keys } },
      "S: transform_keys: nil is no name; names are Symbols or Strings" => -> {
        declared do
          attributes :id
        end.new(transform_keys: ->(_) {
                })
      }
    }.each { |message, code| assert_equal message, assert_raises(ArgumentError, &code).message }
  end

  def test_two_under_one_key
    serializer = declared { attributes :a_b, :aB }
    assert_equal '{"a_b":1,"aB":2}', serializer.new.serialize_to_json({a_b: 1, aB: 2})
    error = assert_raises(Katsu::Error) { serializer.new(transform_keys: :lower_camel) }
    assert_equal 'S: transform_keys writes a_b and aB under the same key, "aB"', error.message
  end

  # What is refused leaves the class as it was.
  def test_a_class_after_what_was_refused
    serializer = declared do
      transform_keys :lower_camel
      attributes :a_b
      [-> { attributes :aB }, -> { has_one(:a__b) { attributes :id } }, -> { attributes :x_y, :xY }].each do |words|
        class_exec(&words)
        raise "not refused"
      rescue ArgumentError
        nil
      end
      attributes :c
    end
    assert_equal '{"aB":1,"xY":2,"c":3}', serializer.new.serialize_to_json({a_b: 1, x_y: 2, c: 3})
    again = assert_raises(ArgumentError) { serializer.attributes :aB }
    assert_equal 'S: transform_keys writes a_b and aB under the same key, "aB"', again.message
  end

  def test_a_transform_after_one_that_was_refused
    serializer = declared do
      transform_keys :dash
      attributes :a_b, :aB
      begin
        transform_keys :lower_camel
        raise "not refused"
      rescue ArgumentError
        nil
      end
    end
    assert_equal '{"a-b":1,"aB":2}', serializer.new.serialize_to_json({a_b: 1, aB: 2})
  end

  def test_two_under_one_key_after_the_kind_was_changed
    error = assert_raises(ArgumentError) do
      declared do
        transform_keys :lower_camel
        attributes :a_b
        transform_keys :dash
        attributes :"a-b"
      end
    end
    assert_equal 'S: transform_keys writes a_b and a-b under the same key, "a-b"', error.message
  end

  def test_two_under_one_key_after_the_parent_has_declared_more
    parent = declared do
      transform_keys :lower_camel
      attributes :id
    end
    child = Class.new(parent) { attributes :a_b }
    parent.attributes :aC
    error = assert_raises(ArgumentError) { child.attributes :a_c }
    assert_match(/writes aC and a_c under the same key, "aC"/, error.message)
  end

  # A declaration more does not look at the others again.
  def test_each_key_is_written_once_when_declared
    written = []
    serializer = Class.new(Katsu::Serializer) do
      transform_keys ->(key) { (written << key) && key.upcase }
      attributes(*(1..50).map { |i| "a#{i}" })
      nested(:b) { attributes :c }
    end
    assert_equal [*(1..50).map { |i| "a#{i}" }, "c", "b"], written
    written.clear
    Class.new(serializer) { attributes :d, :e }
    assert_equal [*(1..50).map { |i| "a#{i}" }, "b", "d", "e"], written
    error = assert_raises(ArgumentError) { Class.new(serializer) { attributes(:d) && attributes(:A1) } }
    assert_match(/writes a1 and A1 under the same key, "A1"/, error.message)
  end

  # What is known when the class is loaded is refused then.
  def test_two_under_one_key_when_declared
    message = 'S: transform_keys writes a_b and aB under the same key, "aB"'
    parent = declared do
      transform_keys :lower_camel
      attributes :a_b
    end
    [-> { declared { attributes(:a_b, :aB) && transform_keys(:lower_camel) } },
     -> { declared { transform_keys(:lower_camel) || attributes(:a_b, :aB) } },
     -> { declared { transform_keys { |key| key.sub("_b", "B") } || aliases(x: :a_b, y: :aB) } },
     -> { declared { transform_keys(:lower_camel) || attributes(:a_b) && has_one(:aB) { attributes :id } } },
     -> { Class.new(parent) { define_singleton_method(:to_s) { "S" } && attributes(:aB) } }].each do |code|
      assert_equal message, assert_raises(ArgumentError, &code).message
    end
    assert_equal '{"aB":1}', Class.new(parent) { attribute :a_b }.new.serialize_to_json({a_b: 1})
    kept = declared do
      transform_keys :lower_camel
      attributes :a_b
      view(:other) { exclude(:a_b) && attributes(:aB) }
    end
    assert_equal '{"aB":2}', kept.new(view: :other).serialize_to_json({a_b: 1, aB: 2})
  end

  def test_two_under_one_key_in_a_copy
    serializer = declared do
      transform_keys :lower_camel
      attributes :id
    end
    copy = serializer.dup
    copy.attributes :a_b
    serializer.attributes :aB
    assert_equal '{"id":1,"aB":2}', serializer.new.serialize_to_json({id: 1, a_b: 3, aB: 2})
    assert_equal '{"id":1,"aB":3}', copy.new.serialize_to_json({id: 1, a_b: 3, aB: 2})
    assert_raises(ArgumentError) { copy.attributes :aB }
    assert_raises(ArgumentError) { serializer.attributes :a_b }
  end

  def test_in_a_view_as_outside_of_it
    serializer = Class.new(Katsu::Serializer) do
      transform_keys :lower_camel
      view(:long) { attributes :full_name }
    end
    assert_equal '{"fullName":1}', serializer.new(view: :long).serialize_to_json({full_name: 1})
  end
end
