# frozen_string_literal: true

require "support/test_case"
require "support/database"
require "rails"
require "action_controller/railtie"
require "rack/etag"
require "rack/mock"
require "katsu/rails"

# The application of the tests in this folder: a controller each, requests through Rack.
class TestApplication < Rails::Application
  LOG = StringIO.new

  config.eager_load = false
  config.consider_all_requests_local = true
  config.action_dispatch.show_exceptions = :none
  config.secret_key_base = "katsu"
  config.hosts.clear
  config.logger = Logger.new(LOG, formatter: ->(_, _, _, message) { "#{message}\n" })
  config.load_defaults Rails.version[/\A\d+\.\d+/]
end
TestApplication.initialize!

# The base of the tests of Rails.
class RailsTestCase < TestCase
  # A controller whose action is the block.
  def controller(base = ActionController::Base, body = nil, &action)
    Class.new(base) do
      class_eval(&body) if body
      define_method(:index, &action)
    end
  end

  # [status, headers, body] of a request to a controller that controller made.
  def request(controller, headers = {})
    answer(controller.action(:index), "/index", headers)
  end

  # [status, headers, body] of a request to a Rack application.
  def answer(application, path, headers = {})
    status, answered, body = application.call(Rack::MockRequest.env_for(path, headers))
    text = +""
    body.each { |part| text << part }
    body.close if body.respond_to?(:close)
    [status, answered, text]
  end

  # The text of what a controller renders.
  def rendered(base = ActionController::Base, body = nil, &action)
    request(controller(base, body, &action))[2]
  end

  def render_error(&action)
    assert_raises(ArgumentError) { rendered(&action) }.message
  end

  # What the log says of the block.
  def logged
    before = TestApplication::LOG.string.size
    yield
    TestApplication::LOG.string[before..]
  end

  def queries(&block)
    found = []
    ActiveSupport::Notifications.subscribed(->(event) {
      found << event.payload[:sql] unless event.payload[:name] == "SCHEMA"
    }, "sql.active_record", &block)
    found
  end
end
