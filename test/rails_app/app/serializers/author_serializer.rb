# frozen_string_literal: true

class AuthorSerializer < ApplicationSerializer
  attributes :id, :name
end
