# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Fields whose code reads only columns. The native backend gives it a row object in the place of a loaded record, once
# it has been called for a while: nobody may notice, whatever became of the record or of the code.
class CodeRowsTest < TestCase
  # More than any code is called before it is looked at.
  MANY = GC_MODE == "stress" ? 60 : 120

  # What a constant is told of each call.
  module Told
    @ids = []
    class << self
      attr_reader :ids
    end
    def self.tell(id) = @ids.push(id).size
  end

  class PostSerializer < Katsu::Serializer
    attributes :id, :title, :doubled, :shouted, :number
    attribute(:draft, if: -> { object.draft })
    attribute(:headline) { |post| post.headline&.reverse }
    attribute(:summary) { |post, context| "#{post.title} #{post.rating.inspect} #{context}" }
    attribute(:at) { |post| post.created_at&.year }
    attribute(:shown, if: ->(post) { post.views }) { |post| post.views + 1 }
    attribute(:record) { |post| post[:title] }
    def doubled = object.id && (object.id * 2)
    def shouted = object.title.to_s.upcase
    def number = object.big || object.views
  end

  # The same by plain Ruby.
  def self.wanted(post, context = nil)
    pairs = {"id" => post.id, "title" => post.title, "draft" => post.draft, "headline" => post.headline&.reverse,
             "summary" => "#{post.title} #{post.rating.inspect} #{context}", "at" => post.created_at&.year,
             "shown" => post.views && (post.views + 1), "record" => post[:title],
             "doubled" => post.id && (post.id * 2), "shouted" => post.title.to_s.upcase,
             "number" => post.big || post.views}
    pairs.delete("draft") unless post.draft
    pairs.delete("shown") unless post.views
    pairs
  end

  def self.create(count)
    rows = Array.new(count) do |index|
      {title: index % 7 == 6 ? nil : "título #{index}", views: index % 5 == 4 ? nil : index, rating: index / 4.0,
       draft: [true, false, nil][index % 3], big: index.even? ? 2**40 + index : nil,
       created_at: Time.utc(2026, 1, 2, 3, 4, 5)}
    end
    Post.insert_all!(rows)
  end

  # What became of loaded records before they are written.
  STATES = {
    fresh: ->(_post) {},
    read: ->(post) { [post.title, post.views, post.id] },
    written: ->(post) { post.title = "written" },
    written_back: ->(post) { post.title = post.title },
    changed_in_place: ->(post) { post.title&.concat("!") },
    counted: ->(post) { post.views = (post.views || 0) + 7 },
    own_reader: ->(post) { post.define_singleton_method(:title) { "own" } },
    extended: ->(post) { post.extend(Module.new { def views = 41 }) },
    destroyed: ->(post) { post.destroy! },
    frozen: ->(post) { post.freeze }
  }.freeze

  def write(posts, serializer = PostSerializer, **options)
    array = Katsu::ArraySerializer.new(posts, each_serializer: serializer, **options)
    text = watched { array.to_json }
    assert_equal JSON.parse(text), array.to_a
    JSON.parse(text)
  end

  # Has the code of the fields looked at.
  def warm(serializer = PostSerializer, posts = Post.order(:id).to_a)
    2.times { Katsu::ArraySerializer.new(posts, each_serializer: serializer).to_json }
  end

  def setup
    self.class.create(MANY)
    Told.ids.clear
  end

  def fresh = Post.order(:id).to_a

  def assert_written(posts, **options)
    wanted = posts.map { |post| self.class.wanted(post, options[:context]) }
    assert_equal wanted.map(&:sort), write(posts, **options).map(&:sort)
  end

  # ActiveRecord notes which columns of a record were read by its readers.
  def test_records_are_not_read
    serializer = Class.new(Katsu::Serializer) do
      attributes :title, :doubled
      attribute(:shouted) { |post| post.title.to_s.upcase }
      attribute(:views, if: -> { object.draft })
      def doubled = object.id * 2
    end
    warm(serializer)
    posts = fresh
    texts = posts.map { |post| serializer.new.serialize_to_json(post) }
    assert_equal "[#{texts.join(",")}]", Katsu::ArraySerializer.new(posts, each_serializer: serializer).to_json
    assert_equal JSON.parse(texts.last), serializer.new.serialize(posts.last)
    read = posts.flat_map(&:accessed_fields).uniq
    assert_equal native? ? [] : %w[draft id title], read.sort & %w[draft id title]
  end

  STATES.each do |name, change|
    define_method(:"test_#{name}") do
      warm
      posts = fresh
      posts.each_with_index { |post, index| change.call(post) if index % 3 != 1 }
      wanted = posts.map { |post| self.class.wanted(post) }
      posts = fresh unless name == :destroyed
      posts.each_with_index { |post, index| change.call(post) if index % 3 != 1 } unless name == :destroyed
      assert_equal wanted.map(&:sort), write(posts).map(&:sort)
    end
  end

  def test_new_records_and_the_context
    warm
    assert_written(fresh.map(&:dup) + fresh, context: "c")
    assert_written([Post.new(title: "new", views: 1)] * 3)
  end

  # Their rows are Hashes.
  def test_records_of_a_join
    Post.update_all(author_id: Author.create!(name: "a").id)
    posts = -> { Post.eager_load(:author).order(:id).to_a }
    warm(PostSerializer, posts.call)
    assert_written(posts.call)
  end

  def test_other_columns_and_other_orders_of_them
    warm
    names = %w[views id title draft rating big created_at]
    [names, names.reverse + ["body"]].each { |some| assert_written(Post.select(*some).order(:id).to_a) }
  end

  def test_a_column_that_is_not_there
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :shouted
      def shouted = object.title.upcase
    end
    Post.update_all(title: "t")
    warm(serializer)
    error = assert_raises(StandardError) { write(Post.select(:id).to_a, serializer) }
    assert_kind_of ActiveModel::MissingAttributeError, error
    assert_match(/\[0\]\.shouted/, error.respond_to?(:detailed_message) ? error.detailed_message : error.full_message)
  end

  # The type is that of the result.
  def test_a_column_of_another_type
    serializer = Class.new(Katsu::Serializer) do
      attributes :twice
      def twice = object.views.to_s * 2
    end
    warm(serializer)
    posts = Post.select("id, views, 'x' || id AS views").order(:id).to_a
    assert_equal posts.map { |post| {"twice" => post.views.to_s * 2} }, write(posts, serializer)
  end

  def test_classes_in_turns
    authors = Array.new(MANY) { |index| index.even? ? Author.create!(name: "a") : Editor.create!(name: "e") }
    serializer = Class.new(Katsu::Serializer) do
      attributes :shout
      def shout = object.name.upcase
    end
    3.times do
      loaded = Author.order(:id).to_a
      assert_equal loaded.map { |author| {"shout" => author.name.upcase} }, write(loaded, serializer)
      assert_equal authors.size, loaded.size
    end
  end

  # The code of a field may change what another field reads.
  def test_code_that_changes_the_record
    serializer = Class.new(Katsu::Serializer) do
      attributes :before, :change, :after
      def before = object.title.to_s.size
      def change = helper && 1
      def helper = object.title = "changed"
      def after = object.title.upcase
    end
    warm(serializer)
    posts = fresh
    sizes = Post.order(:id).pluck(:title).map { |title| title.to_s.size }
    assert_equal(sizes.map { |size| {"before" => size, "change" => 1, "after" => "CHANGED"} },
                 JSON.parse(Katsu::ArraySerializer.new(posts, each_serializer: serializer).to_json))
  end

  def test_an_error_has_the_record
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :inverse
      def inverse = 1 / (object.views - 50)
    end
    Post.where(views: nil).update_all(views: 1)
    warm(serializer, Post.where("views > 50").to_a + Post.where("views > 50").to_a)
    posts = fresh
    error = assert_raises(ZeroDivisionError) { Katsu::ArraySerializer.new(posts, each_serializer: serializer).to_json }
    index = posts.index { |post| post.views == 50 }
    text = error.respond_to?(:detailed_message) ? error.detailed_message : error.full_message
    assert_match(/\[#{index}\]\.inverse/, text)
    assert_match(/Post/, text)
  end

  def test_a_document_within_the_code
    inner = Class.new(Katsu::Serializer) do
      attributes :told
      def told = object.id * 2
    end
    told = Told
    told.define_singleton_method(:document) do |id|
      JSON.parse(inner.new.serialize_to_json(Post.find(id)))["told"]
    end
    serializer = Class.new(Katsu::Serializer) do
      attributes :id, :outer
      def outer = Told.document(object.id)
    end
    2.times { assert_equal(fresh.map { |post| [post.id, post.id * 2] }, write(fresh, serializer).map(&:values)) }
  end

  # What is done to a class whose code was looked at; the field that changes, and its value after that.
  REDEFINED = {
    method: [->(one) { again(one, :doubled) { object.class.name } }, "doubled", ->(_) { "Post" }],
    included: [->(one) { one.include(Module.new { def of_parent = object.class.name }) }, "of_parent",
               ->(_) { "Post" }],
    prepended: [->(one) { one.prepend(Module.new { def doubled = [super, object.class.name] }) }, "doubled",
                ->(post) { [post.id * 2, "Post"] }],
    module: [->(one) { again(one.const_get(:Fields), :shouted) { object.class.name } }, "shouted", ->(_) { "Post" }],
    parent: [->(one) { again(one.superclass, :of_parent) { object.class.name } }, "of_parent", ->(_) { "Post" }],
    condition: [->(one) { again(one, :shown?) { object.new_record? } }, "views", ->(_) {}],
    object: [->(one) { one.class_eval { def object = super.class.new(title: "other") } }, "shouted", ->(_) { "OTHER" }]
  }.freeze

  def self.again(owner, name, &code)
    owner.remove_method(name)
    owner.define_method(name, &code)
  end

  def redefinable
    parent = Class.new(Katsu::Serializer) do
      attributes :of_parent
      def of_parent = object.title.to_s
    end
    Class.new(parent) do
      include const_set(:Fields, Module.new { def shouted = object.title.to_s.upcase })
      attributes :doubled, :shouted
      attribute(:views, if: :shown?)
      def doubled = object.id && (object.id * 2)
      def shown? = object.draft
    end
  end

  REDEFINED.each do |name, (change, key, value)|
    define_method(:"test_redefined_#{name}") do
      Post.update_all(title: "t", draft: true)
      serializer = redefinable
      kept = serializer.new
      warm(serializer)
      posts = fresh
      change.call(serializer)
      wanted = posts.map { |post| value.call(post) }
      assert_equal wanted, write(posts, serializer).map { |pairs| pairs[key] }
      assert_equal wanted, fresh.map { |post| kept.serialize(post)[key] }
    end
  end

  def test_the_object_of_all_serializers
    serializer = redefinable
    warm(serializer)
    Katsu::Serializer.prepend(object = Module.new)
    object.define_method(:object) { super().class.new(id: 7, title: "other") }
    assert_equal({"of_parent" => "other", "doubled" => 14, "shouted" => "OTHER"}, write(fresh, serializer)[1])
  ensure
    object.remove_method(:object)
    assert_equal fresh[1].id * 2, write(fresh, serializer)[1]["doubled"]
  end

  def test_a_reader_that_the_model_is_given
    model = Class.new(Post) { def self.name = "Post" }
    posts = -> { model.order(:id).to_a }
    warm(PostSerializer, posts.call)
    model.define_method(:title) { "own" }
    assert_written(posts.call)
    model.remove_method(:title)
    assert_written(posts.call)
  end

  def test_an_as_json_of_the_application_is_honoured_in_a_process_of_its_own
    script = <<~'RUBY'
      require "katsu"
      require "support/database"
      120.times { |index| Post.create!(title: "t#{index}") }
      class OneSerializer < Katsu::Serializer
        attribute(:shouted) { |post| post.title.upcase }
      end
      texts = Array.new(3) do
        Katsu::ArraySerializer.new(Post.order(:id).limit(60).to_a, each_serializer: OneSerializer).to_json
      end
      class String; def as_json(*) = reverse; end
      texts << Katsu::ArraySerializer.new(Post.order(:id).limit(60).to_a, each_serializer: OneSerializer).to_json
      print texts.map { |text| JSON.parse(text)[12]["shouted"] }.join(" ")
    RUBY
    require "open3"
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", *$LOAD_PATH.flat_map { |path| ["-I", path] }, "-e", script)
    assert_equal ["T12 T12 T12 21T", true], [output, status.success?]
  end

  # More columns than a row object has, and more steps than are looked at.
  def test_many_columns_and_many_fields
    names = %w[id title body views big draft rating author_id] + %w[headline]
    serializer = Class.new(Katsu::Serializer) do
      names.each { |name| attribute(:"of_#{name}") { |post| post.public_send(name) } }
      attribute(:all) do |post|
        [post.id, post.views, post.big, post.draft, post.rating, post.author_id, post.day, post.price].compact.size
      end
      100.times { |number| class_eval("attributes :f#{number}; def f#{number} = object.id + #{number}") }
    end
    warm(serializer)
    posts = fresh
    written = write(fresh, serializer)
    posts.each_with_index do |post, index|
      assert_equal [post.title, post.id, post.id + 99], written[index].values_at("of_title", "f0", "f99")
    end
  end

  def test_as_many_columns_as_a_row_object_has
    names = %i[id title body views big draft rating author_id]
    serializer = Class.new(Katsu::Serializer) do
      names.each { |name| class_eval("attribute(:of_#{name}) { |post| post.#{name} }", __FILE__, __LINE__) }
    end
    warm(serializer)
    posts = fresh
    written = write(posts, serializer).map(&:values)
    read = posts.flat_map(&:accessed_fields).uniq
    assert_empty names.map(&:to_s) & read if native?
    assert_equal(fresh.map { |post| names.map { |name| post.public_send(name) } }, written)
  end

  # The 65th step has no bit: it is not taken for the first.
  def test_the_65th_field_is_given_the_record
    serializer = Class.new(Katsu::Serializer) do
      attribute(:first) { |post| post.id * 2 }
      62.times { |number| attribute(:"b#{number}") { number } }
      attribute(:last) { |post| post.id * 3 }
      attribute(:record) { |post| [post.class.name, post[:title]] }
      attribute(:another) { |post| post.class.name }
    end
    warm(serializer)
    posts = fresh
    write(fresh, serializer).each_with_index do |written, index|
      post = posts[index]
      assert_equal [post.id * 2, post.id * 3, ["Post", post.title], "Post"],
                   written.values_at("first", "last", "record", "another")
    end
  end

  # What Ruby code says of columns is looked at before any row is read by it.
  def test_columns_that_are_none
    skip "only the native backend asks for columns" unless Katsu.backend == :native

    verbose, $VERBOSE = $VERBOSE, nil # of is redefined
    code_rows = Katsu::Query::CodeRows
    given = code_rows.method(:of)
    row_class = Class.new(Katsu::Query::Row)
    [[1], [%w[id 0]], [["id", "0", false]], [["id", -1, false]], [[:id, 0, false]], [["id", 0]],
     Array.new(9) { ["id", 0, false] }].each do |columns|
      code_rows.define_singleton_method(:of) { |*| [row_class, columns, 1] }
      serializer = Class.new(Katsu::Serializer) { attribute(:doubled) { |post| post.id * 2 } }
      error = assert_raises(Katsu::Error, columns.inspect) { warm(serializer) }
      assert_includes error.message, "Katsu::Query::CodeRows: unknown columns"
    end
    found = []
    code_rows.define_singleton_method(:of) { |*of| given.call(*of).tap { |columns| found << columns } }
    warm(Class.new(Katsu::Serializer) { attribute(:doubled) { |post| post.id * 2 } })
    columns = found.compact.fetch(0)[1]
    assert columns.any? && columns.all?(&:frozen?)
  ensure
    if given
      code_rows.define_singleton_method(:of, given)
      $VERBOSE = verbose
    end
  end
end
