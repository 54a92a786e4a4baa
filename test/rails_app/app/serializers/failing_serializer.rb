# frozen_string_literal: true

# Raises at the third post.
class FailingSerializer < ApplicationSerializer
  attributes :title
  attribute(:position, needs: [:views]) do |post|
    raise ArgumentError, "no position" if post.views == 2000

    post.views / 1000
  end
end
