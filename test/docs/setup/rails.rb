# frozen_string_literal: true

require_relative "blog"
require "rails"
require "action_controller/railtie"
require "rack/mock"
require "katsu/rails"

class Blog < Rails::Application
  LOG = StringIO.new

  config.eager_load = false
  config.consider_all_requests_local = true
  config.action_dispatch.show_exceptions = :none
  config.secret_key_base = "blog"
  config.logger = Logger.new(LOG, formatter: ->(_, _, _, message) { "#{message}\n" })
end
Blog.initialize!

class ApplicationController < ActionController::Base
  private

  def current_user = "Ada"
end

class PostSerializer < Katsu::Serializer
  attributes :id, :title
end

# The body of what a request to an action of a controller is answered with.
def get(controller, action)
  body = +""
  controller.action(action).call(Rack::MockRequest.env_for("/posts"))[2].each { |part| body << part }
  body
end
