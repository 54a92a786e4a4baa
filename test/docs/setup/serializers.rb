# frozen_string_literal: true

require_relative "blog"

class AuthorSerializer < Katsu::Serializer
  attributes :id, :name
end

class CommentSerializer < Katsu::Serializer
  attributes :id, :body, :post_id
end

ActiveRecord::Schema.define { create_table(:tickets) { |t| t.integer :status } }

class Ticket < ActiveRecord::Base
  enum :status, {open: 0, closed: 1}, prefix: true
end
Ticket.create!(status: :closed)

def post = Post.find(1)
def posts = Post.order(:id).to_a
