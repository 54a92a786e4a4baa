# frozen_string_literal: true

require_relative "test_application"

class CommentSerializer < Katsu::Serializer
  attributes :body
end

class AuthorSerializer < Katsu::Serializer
  attributes :name
end

module Admin
  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class CommentsController < ActionController::Base
    self.katsu_default_serializers = true
    def index = render(json: Comment.all)
  end
end

# As in an engine.
module Library
  class Comment < ActiveRecord::Base
    self.table_name = "comments"
  end

  class CommentSerializer < Katsu::Serializer
    attributes :id, :body
  end

  class CommentsController < ActionController::Base
    self.katsu_default_serializers = true
    def index = render(json: Comment.all)
  end

  module Public
    class CommentSerializer < Katsu::Serializer
      attributes :body
    end

    class CommentsController < Library::CommentsController
    end
  end
end

# config.katsu.default_serializers: the serializer by the name of the model.
class DefaultSerializersTest < RailsTestCase
  ON = proc { self.katsu_default_serializers = true }

  def setup
    Comment.create!(id: 1, body: "c")
    Author.create!(id: 1, name: "Ada")
    Editor.create!(id: 2, name: "Ben")
  end

  def teardown
    [Comment, Author].each(&:delete_all)
  end

  def test_off
    refute ActionController::Base.katsu_default_serializers
    assert_equal Comment.all.to_json, rendered { render json: Comment.all }
  end

  def test_records
    assert_equal '[{"body":"c"}]', rendered(ActionController::Base, ON) { render json: Comment.all }
    assert_equal '[{"body":"c"}]', rendered(ActionController::Base, ON) { render json: Comment.all.to_a }
    assert_equal '{"comment":{"body":"c"}}',
                 rendered(ActionController::Base, ON) { render json: Comment.first, root: :comment }
    assert_equal '[{"name":"Ada"},{"name":"Ed. Ben"}]',
                 rendered(ActionController::Base, ON) { render json: Author.order(:id).to_a }
    assert_equal '[{"id":1,"body":"c"}]', request(Admin::CommentsController)[2]
  end

  def test_a_model_in_a_namespace
    assert_equal '[{"id":1,"body":"c"}]', request(Library::CommentsController)[2]
    assert_equal '[{"body":"c"}]', request(Library::Public::CommentsController)[2]
    assert_equal "CommentSerializer", Katsu::Rails::Lookup.serializer(controller { }, Comment.new).name
    lookup = ->(name, model) { Katsu::Rails::Lookup.send(:name_in, name.split("::"), model.split("::")) }
    assert_equal %w[Admin::Shop::OrderSerializer Shop::Admin::OrderSerializer Shop::OrderSerializer Shop::ShopSerializer],
                 [lookup.("Admin", "Shop::Order"), lookup.("Shop::Admin", "Shop::Order"), lookup.("", "Shop::Order"),
                  lookup.("Shop", "Shop")]
  end

  def test_what_has_none_is_left_to_rails
    [Post.all, Post.new, [], [1], {a: 1}, "text", nil].each do |value|
      assert_equal (value.is_a?(String) ? value : value.to_json),
                   rendered(ActionController::Base, ON) { render json: value }
    end
  end

  # One element is enough.
  def test_arrays_with_what_has_none
    comment, author, post = Comment.first, Author.find(1), Post.new
    [[comment, nil], [nil, comment], [comment, post], [post, comment], [comment, author, post], [comment, {a: 1}],
     [comment, author, nil]].each do |value|
      assert_equal value.to_json, rendered(ActionController::Base, ON) { render json: value }
    end
  end

  def test_records_of_several_serializers
    error = assert_raises(ArgumentError) do
      rendered(ActionController::Base,
               ON) { render json: [Comment.first, Author.first] }
    end
    assert_equal "render json: records of several serializers (CommentSerializer, AuthorSerializer); " \
                 "name them by each_serializer:", error.message
  end

  def test_settings_are_checked
    known = {default_serializers: [true, false]}
    error = assert_raises(ArgumentError) { Katsu::Rails::Settings.check({default_serialisers: true}, known) }
    assert_equal "config.katsu has no setting default_serialisers; there are default_serializers. " \
                 "Did you mean default_serializers?", error.message
    error = assert_raises(ArgumentError) { Katsu::Rails::Settings.check({default_serializers: "yes"}, known) }
    assert_equal 'config.katsu.default_serializers = "yes"; accepted are true and false', error.message
  end
end
