# frozen_string_literal: true

class Post < ApplicationRecord
  belongs_to :author, optional: true
  has_many :comments, -> { order(:id) }
  has_and_belongs_to_many :tags, -> { order(:id) }
end
