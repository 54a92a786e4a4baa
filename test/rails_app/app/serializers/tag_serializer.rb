# frozen_string_literal: true

class TagSerializer < ApplicationSerializer
  attributes :name
end
