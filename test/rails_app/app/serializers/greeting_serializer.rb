# frozen_string_literal: true

# Kept in the cache, for each viewer.
class GreetingSerializer < ApplicationSerializer
  cache vary: -> { scope }
  attributes :id
  attribute(:greeting) { |post| "#{post.title} for #{scope&.name}" }
end
