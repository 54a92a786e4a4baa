# frozen_string_literal: true

class PostSerializer < ApplicationSerializer
  attributes :id, :title, :views, :price, :draft, :published_on, :data, :created_at
  has_one :author, serializer: AuthorSerializer

  view :full do
    attributes :body
    has_many :comments, serializer: CommentSerializer
    has_many :tags, serializer: TagSerializer
  end

  # What depends on who asks, and from where.
  view :personal do
    attribute(:viewer) { scope&.name }
    attribute(:mine, needs: [:author_id]) { |post| !scope.nil? && post.author_id == scope.id }
    attribute(:host) { |_, context| context }
  end
end
