# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Fields that a client asks for, as a filter.
class RequestedFieldsTest < TestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id, :name
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    has_one :author, serializer: AuthorSerializer
  end

  ALLOWED = [:id, :title, {author: %i[name]}].freeze
  ALL = {instance: %i[id title author], author: [:name]}.freeze

  # The filter of each text that a client may send.
  TEXTS = {
    "id,title" => %i[id title],
    " id , author.name" => {instance: %i[id author], author: [:name]},
    %w[id title] => %i[id title],
    "author,id" => {instance: %i[author id], author: [:name]},
    "" => ALL,
    nil => ALL,
    " , " => ALL,
    [] => ALL
  }.freeze

  REFUSED = [
    "body",
    "author.id",
    "id.x",
    "author.name.x",
    "a" * 500,
    "id." * 50,
    "id," * 10_000,
    "\xFF,id",
    "id".encode("UTF-16LE") + "\xD8".dup.force_encoding("UTF-16LE")
  ].freeze

  class WriterSerializer < AuthorSerializer
    transform_keys :lower_camel
    attributes :created_at
  end

  class EntrySerializer < Katsu::Serializer
    transform_keys :lower_camel
    attributes :id, :created_at
    has_one :first_author, serializer: WriterSerializer
    has_one :last_author, name: :last_one, serializer: AuthorSerializer
    has_one :main_subject, serializer: {Post => PostSerializer, Author => WriterSerializer}
    has_many(:old_notes) { attributes :note_text }
    view(:long) { attributes :long_text }
  end

  # As a client sees them in a document.
  WRITTEN = {
    "id,createdAt" => %i[id created_at],
    "createdAt,created_at" => %i[created_at],
    "firstAuthor.createdAt" => {instance: [:first_author], first_author: [:created_at]},
    "first_author.name" => {instance: [:first_author], first_author: [:name]},
    "lastOne.name,last_one" => {instance: [:last_author], last_author: [:name]},
    "mainSubject.title" => {instance: [:main_subject], main_subject: [:title]},
    "mainSubject.createdAt" => {instance: [:main_subject], main_subject: [:created_at]},
    "oldNotes.noteText" => {instance: [:old_notes], old_notes: [:note_text]},
    "longText" => [:long_text]
  }.freeze

  ALL_OF_ENTRIES = [:id, :created_at, {first_author: %i[name created_at], last_author: [:name],
                                       main_subject: %i[title created_at], old_notes: [:note_text]}, :long_text].freeze

  def teardown
    [Comment, Post, Author].each(&:delete_all)
  end

  def json(serializer, object, **options)
    watched { serializer.new(**options).serialize_to_json(object) }
  end

  def fields(text, allow: ALLOWED)
    PostSerializer.fields(text, allow: allow)
  end

  def entries(text, allow: ALL_OF_ENTRIES)
    EntrySerializer.fields(text, allow: allow, view: :long)
  end

  def test_as_many_characters_as_there_may_be
    text = "id#{" " * 9_998}"
    assert_equal [:id], fields(text)
    message = assert_raises(Katsu::InvalidFilterError) { fields("#{text} ") }.message
    assert_equal "#{PostSerializer}: fields: the text has 10001 characters; at most 10000 are accepted", message
  end

  def test_filters_of_what_a_client_asks_for
    TEXTS.each { |text, filter| assert_equal filter, fields(text), text.inspect }
    assert_equal({instance: [:author], author: [:name]}, fields("author.name,author", allow: {author: [:name]}))
  end

  def test_keys_as_they_are_written
    WRITTEN.each { |text, filter| assert_equal filter, entries(text), text }
    ["CreatedAt", "created-at", "lastAuthor", "lastOne.createdAt", "mainSubject.id", "mainSubject.firstAuthor",
     "oldNotes.note", "longText.a"].each do |text|
      assert_raises(Katsu::InvalidFilterError, text) { entries(text) }
    end
    assert_raises(Katsu::InvalidFilterError) { EntrySerializer.fields("createdAt", allow: [:id]) }
    assert_raises(Katsu::InvalidFilterError) { fields("Title", allow: [:title]) }
    only = entries("createdAt,oldNotes")
    assert_equal '{"createdAt":1,"oldNotes":[{"noteText":2}]}',
                 json(EntrySerializer, {created_at: 1, old_notes: [{note_text: 2}]}, only: only)
  end

  def test_a_serializer_that_is_needed_only_for_names_within
    serializer = Class.new(Katsu::Serializer) { has_one :nobody }
    assert_equal [:nobody], serializer.fields("nobody", allow: [:nobody])
    assert_raises(Katsu::SerializerNotFoundError) { serializer.fields("nobody.id", allow: {nobody: [:id]}) }
  end

  class ViewedSerializer < Katsu::Serializer
    attributes :id, :pass_word
    has_one(:writer, serializer: "RequestedFieldsTest::ViewedSerializer", view: :short, name: :by)
    view(:long) { has_one :view_author, serializer: AuthorSerializer }
    view(:short) do
      exclude :pass_word
      attributes :text
    end
  end

  def test_views
    allow = [:id, {view_author: [:id]}]
    filter = {instance: [:view_author], view_author: [:id]}
    [:long, "long"].each do |view|
      assert_equal filter, ViewedSerializer.fields("view_author.id", allow: allow, view: view)
      only = ViewedSerializer.fields("view_author", allow: allow, view: view)
      assert_equal '{"view_author":{"id":1}}', ViewedSerializer.render({view_author: {id: 1}}, only: only, view: :long)
    end
    error = assert_raises(Katsu::InvalidFilterError) { ViewedSerializer.fields("x", allow: allow, view: :long) }
    assert_equal "RequestedFieldsTest::ViewedSerializer (view :long): the field \"x\" is not one of those allowed " \
                 "here: id, view_author", error.message
    %i[writer by].each do |name|
      only = ViewedSerializer.fields("#{name}.text", allow: {name => [:text]})
      assert_equal({instance: [name], name => [:text]}, only)
    end
  end

  # A client that asks for such a name would be told what is declared.
  def test_what_is_allowed_is_declared
    viewed = "RequestedFieldsTest::ViewedSerializer"
    {
      "#{viewed}.fields: allow: names :view_author, which is not declared by #{viewed}. Its view :long declares it" =>
        [[:id, {view_author: [:id]}]],
      "#{viewed} (view :short).fields: allow: names :pass_word, which is not declared by #{viewed} (view :short)" =>
        [[:id, :pass_word], :short],
      "#{viewed}.fields: allow: names :pas_word, which is not declared by #{viewed}. Did you mean pass_word?" =>
        [{pas_word: []}],
      "#{viewed}.fields: allow: names :pass_word, which is not declared by #{viewed} (view :short)" =>
        [{writer: [:pass_word]}],
      "#{viewed}.fields: allow: has names within :id, which is no association of #{viewed}" => [[{id: [:x]}]],
      "#{viewed}.fields: allow: has no names within :writer; leave it out" => [[:id, {writer: []}]],
      "#{viewed}.fields: allow: names :writer twice" => [[{writer: [:id]}, :writer]],
      "#{viewed} has no view :lang; there are :long, :short. Did you mean long?" => [[:id], :lang]
    }.each do |message, (allow, view)|
      error = assert_raises(ArgumentError) { ViewedSerializer.fields("", allow: allow, view: view) }
      assert_equal [ArgumentError, message], [error.class, error.message]
    end
    error = assert_raises(ArgumentError) { EntrySerializer.fields("", allow: {main_subject: %i[title created_at x]}) }
    assert_equal "RequestedFieldsTest::EntrySerializer.fields: allow: names :x, which is not declared by " \
                 "RequestedFieldsTest::PostSerializer or RequestedFieldsTest::WriterSerializer", error.message
  end

  # A written key that is a declared name means that name, allowed or not.
  def test_written_keys_that_are_other_names
    swapped = Class.new(Katsu::Serializer) do
      transform_keys { |key| {"a" => "b", "b" => "a"}.fetch(key, key) }
      attributes :a, :b
    end
    assert_equal [:a], swapped.fields("a", allow: %i[a b])
    assert_equal [:b], swapped.fields("b", allow: %i[a b])
    assert_raises(Katsu::InvalidFilterError) { swapped.fields("b", allow: [:a]) }
  end

  def test_written_keys_of_a_configuration
    serializer = Class.new(Katsu::Serializer) { attributes :created_at }
    Katsu.configure { |config| config.transform_keys = :dash }
    assert_equal [:created_at], serializer.fields("created-at", allow: [:created_at])
    assert_equal [:created_at], serializer.fields("created_at", allow: [:created_at])
  ensure
    Katsu.configure { |config| config.transform_keys = nil }
  end

  # What render of a controller looks for.
  def test_known_names
    dashed = Class.new(Katsu::Serializer) do
      transform_keys :dash
      attributes :created_at
    end
    names = Katsu::Serializer::FieldNames.new([dashed])
    assert_equal [true, true, false], %w[created_at created-at createdAt].map { |name| names.known?(name) }
  end

  def test_documents_of_what_a_client_asks_for
    author = Author.create!(name: "A")
    post = Post.create!(title: "P", author: author)
    {
      "id,author.name" => %({"id":#{post.id},"author":{"name":"A"}}),
      "author" => %({"author":{"name":"A"}}),
      "" => %({"id":#{post.id},"title":"P","author":{"name":"A"}})
    }.each do |text, document|
      assert_equal document, json(PostSerializer, post, only: fields(text))
    end
  end

  def test_what_is_not_allowed
    REFUSED.each { |text| assert_raises(Katsu::InvalidFilterError, text.inspect[0, 40]) { fields(text) } }
    error = assert_raises(Katsu::InvalidFilterError) { fields("author.id") }
    assert_match(/field "author.id" is not one of those allowed here: name/, error.message)
  end

  def test_names_within_what_is_allowed_without_names
    {"author.name" => [[:author], "author"], "author.name.c" => [[{author: [:name]}], "name"],
     "author.name." => [{author: :name}, "name"]}
      .each do |text, (allow, last)|
      error = assert_raises(Katsu::InvalidFilterError) { fields(text, allow: allow) }
      assert_equal "RequestedFieldsTest::PostSerializer: the field #{text.inspect} is not allowed: " \
                   "#{last} has no fields of its own here", error.message
    end
  end

  def test_many_levels
    names = ("a".."p").to_a
    nested = names.reverse.inject(AuthorSerializer) do |inner, name|
      Class.new(Katsu::Serializer) { has_one name, serializer: inner }
    end
    allow = names.reverse.inject([:id]) { |inner, name| {name.to_sym => inner} }
    expected = names.drop(1).reverse.inject([:id]) { |inner, name| {instance: [name.to_sym], name.to_sym => inner} }
    assert_equal({instance: [:a], a: expected}, nested.fields("#{names.join(".")}.id", allow: allow))
    assert_raises(Katsu::InvalidFilterError) { nested.fields("#{names.join(".")}.id.x", allow: allow) }
    assert_raises(Katsu::InvalidFilterError) { nested.fields("#{names.join(".")}.", allow: allow) }
  end

  # Filters have the serializer's own names under it.
  def test_names_within_an_association_called_instance
    serializer = Class.new(Katsu::Serializer) do
      attributes :id
      has_one(:instance) { attributes :id }
    end
    assert_equal %i[id instance], serializer.fields("id,instance", allow: %i[id instance])
    error = assert_raises(ArgumentError) { serializer.fields("id", allow: [:id, {instance: [:id]}]) }
    assert_match(/allow: has names within :instance, which filters take for the serializer's own/, error.message)
  end

  def test_nothing_is_allowed
    [[], {}, nil].each do |nothing|
      error = assert_raises(ArgumentError) { fields("id", allow: nothing) }
      assert_match(/allow: names nothing\z/, error.message)
    end
  end

  def test_filters_that_are_too_many_or_no_names
    filters = [{1 => [:id]}, {nil => []}, ["\xFF"], (1..2000).to_h { |i| ["x#{i}", []] }, [:id] * 2000]
    filters.each do |filter|
      assert_raises(Katsu::InvalidFilterError) { PostSerializer.new(only: filter) }
    end
    error = assert_raises(Katsu::InvalidFilterError) { PostSerializer.new(only: ["x" * 1_000_000]) }
    assert_operator error.message.size, :<, 1000
  end
end
