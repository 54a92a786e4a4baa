# frozen_string_literal: true

# Takes longer than a request may take, if the context asks for that.
class SlowSerializer < ApplicationSerializer
  attributes :title
  attribute(:rested) { |_, rest| rest && sleep(rest) }
end
