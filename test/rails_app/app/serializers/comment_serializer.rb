# frozen_string_literal: true

class CommentSerializer < ApplicationSerializer
  attributes :id, :body
  has_one :author, serializer: AuthorSerializer
end
