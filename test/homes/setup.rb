# frozen_string_literal: true

# What the examples of docs/other-homes.md see beside what stands there.
require "grape"
require "hanami/controller"
require "hanami/router"
require "rack/mock"
require "roda"
require "sequel"
require "sinatra/base"

class Posts < Sinatra::Base
  set :environment, :test
  set :show_exceptions, false
  set :raise_errors, true
end

Written = Struct.new(:id, :title, :author)
POSTS = [Written.new(1, "Hello", {id: 7, name: "Ada"}), Written.new(2, "Rows", nil)].to_h { |post| [post.id, post] }

# The body that a Rack application answers to a GET.
def get(application, path)
  status, headers, body = application.call(Rack::MockRequest.env_for(path))
  type = headers["content-type"]
  raise "#{path}: #{status} #{type}" unless status == 200 && type.start_with?("application/json")

  text = +""
  body.each { |part| text << part }
  text
end
