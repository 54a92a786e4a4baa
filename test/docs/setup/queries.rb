require_relative "blog"
