# frozen_string_literal: true

require_relative "blog"

def posts = Post.order(:id).to_a
