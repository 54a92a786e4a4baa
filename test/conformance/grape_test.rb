# frozen_string_literal: true

require "support/test_case"
require "katsu/grape"

# Without Grape itself; test/homes runs the example of the guide with it.
class GrapeTest < TestCase
  Post = Struct.new(:id, :title)

  class PostSerializer < Katsu::Serializer
    attributes :id, :title
    view(:index) { exclude :title }
  end

  POSTS = [Post.new(1, "one"), Post.new(2, "two")].freeze

  def test_one_and_many
    told = {env: {}, version: "v1"}
    assert_equal '{"id":1,"title":"one"}', PostSerializer.represent(POSTS[0], told).to_json
    assert_equal '[{"id":1},{"id":2}]', PostSerializer.represent(POSTS, told.merge(view: :index)).to_json
    assert_equal "[]", PostSerializer.represent([]).to_json
  end

  def test_an_option_that_is_none
    error = assert_raises(ArgumentError) { PostSerializer.represent(POSTS, env: {}, veiw: :index) }
    assert_includes error.message, "view"
  end

  def test_documents_in_what_an_endpoint_answers
    posts = PostSerializer.represent(POSTS, view: :index)
    {{posts: posts, total: 2} => '{"posts":[{"id":1},{"id":2}],"total":2}', [posts] => '[[{"id":1},{"id":2}]]',
     posts => '[{"id":1},{"id":2}]', "text" => '"text"', nil => "null"}.each do |answer, json|
      assert_equal json, Katsu::Grape::Formatter.call(answer, {})
    end
  end
end
