# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Methods that a model is given, or loses, when documents of it have been written already.
class ModelWatchTest < TestCase
  # What changes the reader of a title, and how that is taken back.
  CHANGES = {
    method: [->(model) { model.define_method(:title) { "own #{super()}" } }, ->(model) { model.remove_method(:title) }],
    alias: [->(model) { model.alias_method(:title, :body) }, ->(model) { model.remove_method(:title) }],
    module: [->(model) { model.const_get(:Titles).define_method(:title) { "own #{super()}" } },
             ->(model) { model.const_get(:Titles).remove_method(:title) }],
    included: [->(model) { model.include(Module.new { def title = "own #{super}" }) }],
    prepended: [->(model) { model.prepend(Module.new { def title = "own #{super}" }) }]
  }.freeze

  def setup
    Post.create!(title: "a title", body: "text")
  end

  # A model with an association to itself, which is written too.
  def model
    Class.new(ActiveRecord::Base) do
      def self.name = "ModelWatchTest::Written"
      self.table_name = "posts"
      include const_set(:Titles, Module.new)
      belongs_to :same, anonymous_class: self, foreign_key: :id, optional: true
    end
  end

  def serializer
    Class.new(Katsu::Serializer) do
      attributes :title
      attribute(:up) { |post| post.title.to_s.upcase }
      attribute(:needed, needs: [:title]) { |post| post.title }
      has_one(:same) { attributes :title }
    end
  end

  # By rows, or by records; then the same of records that are loaded.
  def texts(model, serializer)
    relation = model.order(:id)
    [serializer.many(relation).to_json, JSON.generate(serializer.many(relation).to_a),
     Katsu::ArraySerializer.new(relation.to_a, each_serializer: serializer).to_json,
     serializer.one(relation).to_json.then { |text| "[#{text}]" }]
  end

  def document(title)
    JSON.generate([{title: title, up: title.to_s.upcase, needed: title, same: {title: title}}])
  end

  CHANGES.each do |name, (change, back)|
    define_method(:"test_#{name}") do
      written = model
      serializer = self.serializer
      assert_equal [document("a title")], texts(written, serializer).uniq
      change.call(written)
      assert_equal [document(written.first.title)], texts(written, serializer).uniq
      refute_equal "a title", written.first.title
      next unless back

      back.call(written)
      assert_equal [document("a title")], texts(written, serializer).uniq
      assert_equal :rows, serializer.many(written.all).explain.to_h[:way]
    end
  end

  # Class methods that make records.
  LOADERS = {
    method: [->(model) { model.define_singleton_method(:instantiate) { |*given, &block| super(*given, &block) } },
             ->(model) { model.singleton_class.remove_method(:instantiate) }],
    opened: [->(model) { model.class_eval { def self._load_from_sql(...) = super } },
             ->(model) { model.singleton_class.remove_method(:_load_from_sql) }],
    extended: [->(model) { model.extend(Module.new { def find_by_sql(...) = super }) }],
    in_front: [->(model) { model.singleton_class.prepend(Module.new { def find_by_sql(...) = super }) }],
    among: [->(model) { model.singleton_class.include(Module.new { def find_by_sql(...) = super }) }]
  }.freeze

  LOADERS.each do |name, (change, back)|
    define_method(:"test_class_#{name}") do
      written = model
      serializer = Class.new(Katsu::Serializer) { attributes :title }
      ways = -> { [serializer.many(written.all).to_json, serializer.many(written.all).explain.to_h[:way]] }
      text = JSON.generate([{title: "a title"}])
      assert_equal [text, :rows], ways.call
      change.call(written)
      assert_equal [text, :records], ways.call
      next unless back

      back.call(written)
      assert_equal [text, :rows], ways.call
    end
  end

  # As where a library is loaded late.
  def test_modules_of_activerecord_base
    base = ActiveRecord::Base
    {extend: [:find_by_sql, base], singleton: [:find_by_sql, base.singleton_class],
     prepend: [:init_with_attributes, base]}.each do |name, (method, owner)|
      written = model
      serializer = Class.new(Katsu::Serializer) { attributes :title }
      assert_equal :rows, serializer.many(written.all).explain.to_h[:way]
      mod = Module.new { define_method(method) { |*given, **keywords, &block| super(*given, **keywords, &block) } }
      name == :extend ? owner.extend(mod) : owner.prepend(mod)
      assert_equal :records, serializer.many(written.all).explain.to_h[:way], name
    ensure
      mod.remove_method(method)
    end
  end

  # A clone gets copies of a class's instance variables, also of the one in which Katsu keeps its layouts.
  CHANGES.each do |name, (change, _)|
    define_method(:"test_#{name}_of_a_clone") do
      written = model
      serializer = Class.new(Katsu::Serializer) { attributes :title }
      assert_equal [JSON.generate([{title: "a title"}])], texts(written, serializer).uniq
      copy = written.clone
      change.call(copy)
      [written, copy].each do |one|
        assert_equal [JSON.generate([{title: one.first.title}])], texts(one, serializer).uniq
      end
      refute_equal "a title", copy.first.title
    end
  end

  def test_an_alias_of_another_column
    written = model
    written.alias_attribute(:name, :title)
    serializer = Class.new(Katsu::Serializer) do
      attributes :name
      attribute(:up) { |post| post.name.upcase }
      attribute(:needed, needs: [:name]) { |post| post.name }
    end
    documents = -> { [*texts(written, serializer), serializer.many(written.all, by: :name).to_json] }
    document = ->(name) { JSON.generate({name: name, up: name.upcase, needed: name}) }
    [["a title", -> {}], ["text", -> { written.alias_attribute(:name, :body) }]].each do |name, change|
      change.call
      assert_equal [*["[#{document.call(name)}]"] * 4, "{#{name.to_json}:#{document.call(name)}}"], documents.call
    end
  end

  # ActiveSupport gives modules a method of that name.
  def test_an_alias_in_a_module
    require "active_support/core_ext/module/aliasing"
    written = model
    serializer = self.serializer
    assert_equal [document("a title")], texts(written, serializer).uniq
    written.const_get(:Titles).module_eval { alias_attribute :title, :body }
    assert_equal [document("text")], texts(written, serializer).uniq
  end

  def test_an_association_that_is_undefined
    written = model
    serializer = self.serializer
    texts(written, serializer)
    written.undef_method(:same)
    assert_raises(Katsu::UnknownAttributeError) { texts(written, serializer) }
  end

  # The readers of associations are methods of the class that declares them.
  def test_an_association_of_the_superclass
    declaring = model
    written = Class.new(declaring) { def self.name = "ModelWatchTest::Below" }
    serializer = self.serializer
    assert_equal [document("a title")], texts(written, serializer).uniq
    declaring.define_method(:same) { nil }
    assert_equal [document("a title").sub(/{"title":"a title"}/, "null")], texts(written, serializer).uniq
  end

  def test_a_module_that_came_later
    written = model
    serializer = self.serializer
    texts(written, serializer)
    titles = Module.new
    written.include(titles)
    assert_equal [document("a title")], texts(written, serializer).uniq
    titles.define_method(:title) { "own #{super()}" }
    assert_equal [document("own a title")], texts(written, serializer).uniq
  end

  # It is given no methods.
  def test_a_frozen_module
    written = model
    written.include(Module.new { def title = "own #{super}" }.freeze)
    assert_equal [document("own a title")], texts(written, serializer).uniq
  end

  def test_a_model_that_only_needs_names
    written = model
    serializer = Class.new(Katsu::Serializer) { attribute(:above, needs: [{same: :title}]) { |post| post.same.title } }
    assert_equal '[{"above":"a title"}]', serializer.many(written.all).to_json
    other = written.reflect_on_association(:same).klass
    other.define_method(:title) { "own #{super()}" }
    assert_equal '[{"above":"own a title"}]', serializer.many(written.all).to_json
  end

  # Those that do not call super hide what is behind them.
  def test_hooks_of_a_subclass
    written = Class.new(model) do
      def self.name = "ModelWatchTest::Hooked"
      def self.method_added(_name) = nil
    end
    serializer = self.serializer
    assert_equal [document("a title")], texts(written, serializer).uniq
    written.define_method(:title) { "own #{super()}" }
    same = '"same":{"title":"a title"}' # of the superclass
    assert_equal [document("own a title").sub(/"same":{.*?}/, same)], texts(written, serializer).uniq
  end

  def test_modules_of_a_class_of_their_own
    written = model
    titles = Class.new(Module).new
    written.include(titles)
    serializer = self.serializer
    texts(written, serializer)
    titles.define_method(:title) { "own #{super()}" }
    titles.singleton_class.freeze
    assert_equal [document("own a title")], texts(written, serializer).uniq
  end

  # Each change makes classes of row objects.
  def test_classes_of_rows_are_not_kept
    written = model
    serializer = Class.new(Katsu::Serializer) { attribute(:up) { |post| post.title.upcase } }
    300.times do
      written.alias_method(:other, :id)
      written.remove_method(:other)
      assert_equal '[{"up":"A TITLE"}]', serializer.many(written.all).to_json
    end
    GC.start
    classes = ObjectSpace.each_object(Class).count { |klass| klass < Katsu::Query::Row && klass.model == written }
    assert_operator classes, :<, 280
  end

  # Nothing is decided again for classes that were not written, and for ActiveRecord's own readers.
  def test_other_methods
    written = model
    texts(written, serializer)
    serial = Katsu::AsJson::Overrides.serial
    model.define_method(:title) { 1 }
    Class.new(written).define_method(:title) { 1 }
    assert_equal serial, Katsu::AsJson::Overrides.serial
    written.reset_column_information
    written.define_attribute_methods
    assert_equal serial, Katsu::AsJson::Overrides.serial
    below = Class.new(written)
    texts(below, serializer)
    below.define_method(:other) { 1 }
    assert_operator serial, :<, Katsu::AsJson::Overrides.serial
  end
end
