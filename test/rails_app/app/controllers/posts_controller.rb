# frozen_string_literal: true

require "timeout"

class PostsController < ApplicationController
  # A request that is to be in time has time enough on a busy machine.
  around_action(only: :slow) { |_, action| Timeout.timeout(params[:rest] ? 0.2 : 60, &action) }
  rescue_from(Timeout::Error) { head :service_unavailable }

  def index
    render json: posts, each_serializer: PostSerializer, **options
  end

  def show
    render json: Post.find_by(id: params[:id]), serializer: PostSerializer, **options
  end

  # The post is there for this answer only: the other requests count posts.
  def create
    Post.transaction do
      post = Post.create!(params.require(:post).permit(:title, :price))
      render json: post, serializer: PostSerializer, status: :created, only: %i[title price draft]
      raise ActiveRecord::Rollback
    end
  end

  # A document of Katsu's, and as a part of others.
  def document
    render json: PostSerializer.many(posts, **options)
  end

  def in_hash
    render json: {posts: PostSerializer.many(posts), first: [PostSerializer.one(posts.first)], total: Post.count,
                  on: Date.new(2026, 1, 2), title: "</é>"}
  end

  def fresh
    document = PostSerializer.many(Post.order(:id), view: :personal, scope: current_author)
    render json: document if stale?(document)
  end

  def cached
    render json: Post.order(:id), each_serializer: GreetingSerializer
  end

  def mistyped
    render json: posts, each_serialiser: PostSerializer
  end

  def failing
    render json: Post.order(:id), each_serializer: FailingSerializer
  end

  def slow
    render json: posts.limit(3), each_serializer: SlowSerializer, context: params[:rest]&.to_f
  end

  # A query that the database ends.
  def canceled
    Post.transaction do
      Post.connection.execute("SET LOCAL statement_timeout = 50")
      render json: Post.where("pg_sleep(1) IS NOT NULL"), each_serializer: PostSerializer
    end
  end

  private

  def posts
    params[:tag] ? Tag.find_by!(name: params[:tag]).posts.order(:id) : Post.order(:id)
  end

  # What a request may choose: view, only, except, root, meta, context, transform_keys, callback.
  def options
    names = %i[only except].to_h { |name| [name, params[name]&.split(",")&.map(&:to_sym)] }
    words = %i[view root transform_keys].to_h { |name| [name, params[name]&.to_sym] }
    {**names, **words, meta: params[:meta]&.to_unsafe_h, **params.permit(:context, :callback).to_h.symbolize_keys}
      .compact
  end
end
