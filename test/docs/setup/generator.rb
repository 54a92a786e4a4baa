# frozen_string_literal: true

require_relative "blog"

class PostSerializer < Katsu::Serializer
  attributes :id, :title
end
