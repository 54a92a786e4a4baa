# frozen_string_literal: true

require_relative "test_application"

# Entity tags, and documents that are written while they are sent.
class HttpTest < RailsTestCase
  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  class TitleSerializer < Katsu::Serializer
    attributes :title
  end

  def setup
    Author.create!(id: 1, name: "Ada", updated_at: Time.utc(2026, 1, 1))
    Author.create!(id: 2, name: "Ben", updated_at: Time.utc(2026, 1, 1))
  end

  def teardown
    [Author, Post].each(&:delete_all)
  end

  def etag(headers) = headers["etag"] || headers["ETag"]

  # [status, body] of a request, and of one more with the tag that the first was answered with.
  def twice(controller)
    first = request(controller)
    yield if block_given?
    second = request(controller, "HTTP_IF_NONE_MATCH" => etag(first[1]))
    [[first[0], first[2]], [second[0], second[2]]]
  end

  def names(**options, &source)
    source ||= -> { Author.order(:id) }
    controller do
      document = NameSerializer.many(source.call, options)
      render json: document if stale?(document)
    end
  end

  NAMES = '[{"name":"Ada"},{"name":"Ben"}]'

  def test_a_relation
    assert_equal [[200, NAMES], [304, ""]], twice(names)
    changed = twice(names) { Author.find(2).update!(name: "Bob") }
    assert_equal [200, '[{"name":"Ada"},{"name":"Bob"}]'], changed[1]
    assert_equal 200, twice(names) { Author.create!(name: "Cy") }[1][0]
  end

  def test_a_fresh_relation_is_not_read
    tag = etag(request(names)[1])
    made = queries { request(names, "HTTP_IF_NONE_MATCH" => tag) }
    assert_equal 1, made.size, made
    assert_match(/COUNT\(\*\)/i, made[0])
  end

  def test_records
    assert_equal [200, 304], twice(names { Author.order(:id).to_a }).map(&:first)
    one = controller { render json: NameSerializer.one(Author.find(1)) if stale?(NameSerializer.one(Author.find(1))) }
    assert_equal [200, 304], twice(one).map(&:first)
    assert_equal [200, 200], twice(one) { Author.find(1).update!(name: "Eve") }.map(&:first)
  end

  # The rows say nothing of their version: the bytes do.
  def test_what_has_no_version
    Post.create!(id: 1, title: "one")
    posts = controller do
      document = TitleSerializer.many(Post.all)
      render json: document if stale?(document)
    end
    assert_equal [[200, '[{"title":"one"}]'], [304, ""]], twice(posts)
    assert_equal [200, '[{"title":"two"}]'], twice(posts) { Post.find(1).update!(title: "two") }[1]
    hashes = controller { render json: [] if stale?(NameSerializer.many([{name: "a"}])) }
    assert_equal [200, 304], twice(hashes).map(&:first)
  end

  I18n.available_locales = %i[en de]

  def key(...) = NameSerializer.many(...).cache_key_with_version

  def test_what_is_written_differently_has_another_key
    authors = Author.all
    keys = [key(authors), key(authors, scope: 1), key(authors, context: {a: 1}), key(authors, context: 1),
            key(authors, except: []),
            key(Author.limit(1)), key(authors, scope: Author.find(1)), Time.use_zone("Tokyo") { key(authors) },
            I18n.with_locale(:de) { key(authors) },
            Class.new(NameSerializer) { attributes :id }.many(authors).cache_key_with_version,
            Class.new(NameSerializer) { aliases name: :title }.many(authors).cache_key_with_version]
    keys.delete_at(4) # no filter is none
    assert_equal keys.size, keys.uniq.size
    assert_equal keys[0], key(Author.all, except: [])
  end

  def test_viewers_never_share_a_key
    pairs = [["a/b", "c"], ["a", "b/c"], [{a: 1}, nil], ["{:a=>1}", nil], [[1, 2], nil], [[[1], 2], nil], [nil, 1],
             [1, nil], [:a, nil], ["a", nil]]
    keys = pairs.map { |context, scope| key(Author.all, context: context, scope: scope) }
    assert_equal keys, keys.uniq
    assert_equal key(Author.all, context: {a: [1]}), key(Author.all, context: {a: [1]})
    refute_equal key(Author.limit(1)), NameSerializer.one(Author.limit(1)).cache_key_with_version
  end

  def test_the_bytes_decide_if_the_viewer_is_any_object
    viewer = Struct.new(:name).new("Ada")
    document = NameSerializer.many(Author.all, scope: viewer)
    assert_equal "katsu/#{document.etag}", document.cache_key_with_version
  end

  # Each a serializer of its own file.
  def digest(text)
    Dir.mktmpdir do |folder|
      file = File.join(folder, "one.rb")
      File.write(file, text)
      HttpTest.send(:remove_const, :FromFile) if HttpTest.const_defined?(:FromFile, false)
      load file
      Katsu::Plan::Digest.of(FromFile.plan)
    end
  end

  def test_a_method_that_is_written_anew_has_another_digest
    text = "class HttpTest::FromFile < Katsu::Serializer\n  attributes :name\n  def name = 1\nend\n"
    assert_equal digest(text), digest(text)
    refute_equal digest(text), digest(text.sub("1", "2"))
  end

  # A deployment often has a folder of its own.
  def test_conditions_have_one_digest_in_each_folder_and_process
    text = "class HttpTest::FromFile < Katsu::Serializer\n  attribute :name, if: -> { scope }\n" \
           "  attribute :id, if: :itself.to_proc\nend\n"
    assert_equal digest(text), digest(text)
    refute_equal digest(text), digest(text.sub("if: ->", "unless: ->"))
  end

  class FolderSerializer < Katsu::Serializer
    attributes :id
    has_many :folders, serializer: FolderSerializer, depth: 2
    has_one :owner, serializer: {"Author" => NameSerializer, "Folder" => FolderSerializer}
  end

  def test_digests_of_what_contains_itself
    digest = Katsu::Plan::Digest.of(FolderSerializer.plan)
    assert_match(/\A\h{32}\z/, digest)
    assert_equal digest, Katsu::Plan::Digest.of(FolderSerializer.plan)
  end

  def chunks(controller)
    _, headers, body = controller.action(:index).call(Rack::MockRequest.env_for("/index"))
    found = []
    body.each { |chunk| found << chunk }
    [headers["content-type"] || headers["Content-Type"], found]
  end

  def test_stream
    Author.insert_all!(Array.new(5000) { |i| {name: "name #{i}", created_at: Time.now, updated_at: Time.now} })
    type, found = chunks(controller { render json: Author.order(:id), each_serializer: NameSerializer, stream: true })
    assert_equal ["application/json; charset=utf-8", true], [type, found.size > 1]
    assert_equal Author.count, JSON.parse(found.join).size
    _, again = chunks(controller { render json: NameSerializer.many(Author.order(:id)), stream: true })
    assert_equal found.join, again.join
    _, body = chunks(controller { self.response_body = NameSerializer.many(Author.order(:id)) })
    assert_equal found.join, body.join
  end

  # With the middleware that makes tags of bodies.
  def test_a_stream_is_read_once
    read = 0
    names = Enumerator.new do |rows|
      read += 1
      rows << {name: "a"}
    end
    streaming = controller { render json: NameSerializer.many(names), stream: true }
    status, headers, body = Rack::ETag.new(streaming.action(:index)).call(Rack::MockRequest.env_for("/index"))
    assert_equal [200, nil], [status, etag(headers)]
    assert_equal '[{"name":"a"}]', [].tap { |parts| body.each { |part| parts << part } }.join
    assert_equal 1, read
  end

  # Written when each around_action has ended.
  def test_a_stream_in_the_zone_and_language_of_its_action
    moment = Class.new(Katsu::Serializer) do
      attribute(:zone) { Time.zone.name }
      attribute(:locale) { I18n.locale.to_s }
      attribute(:writing) { !ActiveRecord::Base.connected_to_stack.last&.fetch(:prevent_writes) }
    end
    answers = [false, true].map do |stream|
      abroad = controller do
        render json: Author.order(:id), each_serializer: moment, stream: stream
      end
      abroad.around_action do |_, action|
        Time.use_zone("Asia/Tokyo") { I18n.with_locale(:de) { ActiveRecord::Base.while_preventing_writes(&action) } }
      end
      _, found = chunks(abroad)
      found.join
    end
    assert_equal answers.first, answers.last
    assert_includes answers.first, '{"zone":"Asia/Tokyo","locale":"de","writing":false}'
    assert_empty ActiveRecord::Base.connected_to_stack
  end

  # A server may take chunk by chunk, and do other things between them.
  def test_a_stream_leaves_nothing_behind
    names = Katsu::Stream.new(Array.new(5000) { |i| {name: "name #{i}"} })
    zoned = Class.new(NameSerializer) { attribute(:zone) { Time.zone.name } }
    body = Time.use_zone("Asia/Tokyo") { Katsu::Rails::StreamedBody.new(zoned.many(names)) }
    zones = []
    text = body.each.map { |chunk| chunk.tap { zones << Time.zone.name } }.join
    assert_equal ["UTC"], zones.uniq
    assert_equal ["Asia/Tokyo"], JSON.parse(text).map { |row| row["zone"] }.uniq
    chunks = body.each
    chunks.next
    assert_equal "UTC", Time.zone.name
  end

  # A tag for each content, and the same one for the same.
  def test_tags_of_responses_and_array_serializers
    [nil, "", 1, "1"].flat_map do |title|
      rows = [{title: title}]
      array = -> { Katsu::ArraySerializer.new(rows, each_serializer: TitleSerializer) }
      [array, -> { Katsu::Response.new({posts: array.call}) }].map do |document|
        tags = Array.new(2) do
          etag(request(controller { (given = document.call) && stale?(given) && render(json: given) })[1])
        end
        assert_equal tags.first, tags.last
        tags.first
      end
    end.then { |tags| assert_equal tags.uniq, tags }
  end

  class LiveController < ActionController::Base
    include ActionController::Live

    def index
      response.headers["Content-Type"] = "application/x-ndjson"
      NameSerializer.many([{name: "a"}, {name: "b"}]).write_to(response.stream, format: :ndjson)
    ensure
      response.stream.close
    end
  end

  def test_live
    type, found = chunks(LiveController)
    assert_equal ["application/x-ndjson", "{\"name\":\"a\"}\n{\"name\":\"b\"}\n"], [type[/[^;]+/], found.join]
  end

  class RootedSerializer < NameSerializer
    root :author, :authors
  end

  def test_what_cannot_be_streamed
    {
      {json: Author.all, each_serializer: NameSerializer,
       root: :a} => "render json: stream: and root: cannot be together",
      {json: NameSerializer.many([]), only: [:name]} => "render json: stream: and only: cannot be together",
      {json: NameSerializer.many([]), callback: "a"} => "render json: stream: and callback: cannot be together",
      {json: NameSerializer.many([]), escape: true} => "render json: stream: and escape: cannot be together",
      {json: Katsu::ArraySerializer.new([], each_serializer: NameSerializer)} =>
        "render json: stream: is for a collection, such as PostSerializer.many(posts)",
      {json: {names: NameSerializer.many([])}} =>
        "render json: stream: is for a collection, such as PostSerializer.many(posts)",
      {json: [[NameSerializer.many([])]]} =>
        "render json: stream: is for a collection, such as PostSerializer.many(posts)",
      {json: Author.first, serializer: NameSerializer} =>
        "render json: stream: is for a collection, such as PostSerializer.many(posts)",
      {json: NameSerializer.one(Author.first)} =>
        "render json: stream: is for a collection, such as PostSerializer.many(posts)",
      {json: [], each_serializer: RootedSerializer} => "render json: stream: and root: cannot be together; " \
                                                       "#{RootedSerializer} declares one, root: false leaves it out"
    }.each { |options, message| assert_equal message, render_error { render stream: true, **options } }
  end

  def test_stream_is_true_or_false
    [{json: Author.all, each_serializer: NameSerializer}, {json: NameSerializer.many([])},
     {json: {names: NameSerializer.many([])}}, {json: Author.first, serializer: NameSerializer}].each do |options|
      ["false", 1].each do |given|
        assert_equal "render json: stream: #{given.inspect}; accepted are true and false",
                     render_error { render stream: given, **options }
      end
      [false, nil].each do |given|
        assert_equal rendered { render(**options) }, rendered { render stream: given, **options }
      end
    end
  end
end
