# frozen_string_literal: true

require_relative "blog"

class AuthorSerializer < Katsu::Serializer
  attributes :id, :name
end

class CommentSerializer < Katsu::Serializer
  attributes :id, :body, :post_id
end

def post = Post.find(1)
def posts = Post.order(:id).to_a
