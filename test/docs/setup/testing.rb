# frozen_string_literal: true

require "minitest"
require_relative "blog"

class AuthorSerializer < Katsu::Serializer
  attributes :id, :name
end

class PostSerializer < Katsu::Serializer
  attributes :id, :title
  has_one :author, serializer: AuthorSerializer
end

def post = Post.find(1)

# Runs the tests of a class: how many passed, or the messages of those that did not.
def run(tests)
  results = tests.public_instance_methods.grep(/\Atest_/).sort.map { |name| tests.new(name).run }
  failed = results.reject(&:passed?)
  failed.empty? ? "#{results.size} passed" : failed.map { |result| result.failures.first.message }.join("\n")
end
