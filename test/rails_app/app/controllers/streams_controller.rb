# frozen_string_literal: true

class StreamsController < ApplicationController
  def index
    render json: Post.order(:id), each_serializer: PostSerializer, stream: true
  end

  def failing
    render json: EndlessPosts.failing, each_serializer: FailingSerializer, stream: true
  end
end
