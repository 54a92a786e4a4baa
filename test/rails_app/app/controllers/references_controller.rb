# frozen_string_literal: true

# What the tests compare with: the same rows as Rails itself writes them.
class ReferencesController < ApplicationController
  AUTHOR = {only: %i[id name]}.freeze
  COMMENT = {only: %i[id body], include: {author: AUTHOR}}.freeze
  POST = {only: %i[id title views price draft published_on data created_at body author_id],
          include: {author: AUTHOR, tags: {only: :name}, comments: COMMENT}}.freeze

  def index
    posts = Post.includes(:author, :tags, comments: :author).order(:id).as_json(POST)
    render json: {backend: Katsu.backend, adapter: Post.connection.adapter_name, posts: posts}
  end

  def state
    render json: {ended: EndlessPosts.ended, busy: ActiveRecord::Base.connection_pool.stat[:busy]}
  end
end
