# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Instance variables that are read by their place in an object's memory.
class IvarSlotTest < TestCase
  UNKNOWN = ENV["KATSU_VARIANT"] == "unknown"

  def teardown
    [Post, Author].each(&:delete_all)
  end

  # Each object that is met on the way from a record to its values and associations.
  def test_places_in_what_active_record_makes
    skip "places are the native backend's" unless native? && !UNKNOWN

    author = Author.create!(name: "a")
    Post.create!(title: "t", author: author)
    post = Post.preload(:author).first
    post.title
    set = post.instance_variable_get(:@attributes)
    belongs_to = post.association(:author)
    has_many = Author.preload(:posts).first.association(:posts)
    attribute = set.instance_variable_get(:@attributes).each_value.first || set["title"]
    assert_places(post => %i[@attributes @association_cache], set => %i[@attributes @casted_values @values @types],
                  belongs_to => %i[@target @loaded @stale_state], has_many => %i[@target @loaded],
                  attribute => %i[@type @value_before_type_cast])
  end

  def test_places_of_objects_that_were_asked_for_their_id_or_frozen
    skip "places are the native backend's" unless native? && !UNKNOWN

    with_id = Object.new
    with_id.instance_variable_set(:@a, "a")
    with_id.object_id
    with_id.instance_variable_set(:@b, "b")
    frozen = Object.new
    10.times { |number| frozen.instance_variable_set(:"@v#{number}", number) }
    assert_places(with_id => %i[@a @b], frozen.freeze => %i[@v0 @v9])
  end

  def test_what_is_kept_elsewhere_has_no_place
    skip "places are the native backend's" unless native?

    text = "a".dup.tap { |object| object.instance_variable_set(:@a, 1) }
    [text, Class.new, 1, nil].each { |object| assert_nil Katsu::Native.place(object, :@a) }
  end

  # So many that some share an entry of what is remembered. What is before their own variables was made elsewhere:
  # a class may begin few kinds of objects.
  def test_attributes_with_other_variables_before_their_own
    skip "places are the native backend's" unless native?

    type = ActiveModel::Type::String.new
    own = {"@type": type, "@value_before_type_cast": "raw", "@value": "value"}
    objects = Array.new(60) do |count|
      variables = {**Array.new(count) { |number| [:"@other_#{number}", number] }.to_h, **own}
      [Class.new, ActiveModel::Attribute.from_database("n", "raw", type).class].map do |klass|
        klass.allocate.tap { |object| variables.each { |name, value| object.instance_variable_set(name, value) } }
      end.last
    end
    [objects, objects.reverse, objects].flatten.each do |object|
      assert_equal %w[raw value], Katsu::Native.attribute(object, type)
    end
  end

  private

  def assert_places(expected)
    expected.each do |object, names|
      names.each { |name| assert_operator Katsu::Native.place(object, name).to_i, :>, 0, "#{object.class} #{name}" }
    end
  end
end
