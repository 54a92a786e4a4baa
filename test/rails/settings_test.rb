# frozen_string_literal: true

require_relative "test_application"
require "open3"
require "rbconfig"
require "tmpdir"

# config.katsu.*, wherever it is set before the application has started.
class SettingsTest < RailsTestCase
  # Starts an application that has these lines in config/initializers and in its class; what the script prints.
  APPLICATION = <<~RUBY
    require "rails"
    require "action_controller/railtie"
    require "katsu/rails"
    class Started < Rails::Application
      config.root = ARGV.fetch(0)
      config.eager_load = false
      config.secret_key_base = "katsu"
      config.logger = Logger.new(nil)
      config.load_defaults Rails.version[/\\A\\d+\\.\\d+/]
      eval(ARGV.fetch(1))
    end
    Started.initialize!
    puts ActionController::Base.katsu_default_serializers, ActionController::Base.katsu_scope_source.inspect
    puts Rails.application.routes.routes.map { |route| route.path.spec.to_s }.grep(/katsu|admin|blog/)
  RUBY
  ROUTES = 'Rails.application.routes.draw { get "/blog" => ->(_) { [200, {}, []] } }'

  def started(initializer, in_class = "")
    Dir.mktmpdir do |folder|
      FileUtils.mkdir_p(File.join(folder, "config/initializers"))
      File.write(File.join(folder, "config/initializers/katsu.rb"), initializer)
      File.write(File.join(folder, "config/routes.rb"), ROUTES)
      Open3.capture2e({"RAILS_ENV" => "development"}, RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e",
                      APPLICATION, folder, in_class)
    end
  end

  def assert_started(expected, ...)
    output, status = started(...)
    assert_predicate status, :success?, output
    assert_equal expected, output.lines(chomp: true)
  end

  def test_settings_of_initializers
    assert_started ["true", "nil", "/admin/katsu", "/blog(.:format)"], <<~RUBY
      Rails.application.config.katsu.default_serializers = true
      Rails.application.config.katsu.inspector = "/admin/katsu"
    RUBY
  end

  def test_settings_of_the_application
    assert_started ["true", "nil", "/blog(.:format)"], "",
                   "config.katsu.default_serializers = true; config.katsu.inspector = false"
    assert_started ["false", "nil", "/katsu", "/blog(.:format)"], ""
  end

  # Controllers know Katsu's words before, whoever loads them.
  def test_controllers_in_initializers
    assert_started ["true", ":user", "/katsu", "/blog(.:format)"], <<~RUBY
      ActiveSupport.on_load(:action_controller) { katsu_scope :user }
      ActionController::Base
      Rails.application.config.katsu.default_serializers = true
    RUBY
  end

  def test_what_means_nothing_is_refused_at_start
    output, status = started("Rails.application.config.katsu.default_serialisers = true")
    refute_predicate status, :success?
    assert_includes output, "config.katsu has no setting default_serialisers; there are default_serializers, inspector."
    output, status = started("Rails.application.config.katsu.inspector = 1")
    refute_predicate status, :success?
    assert_includes output, "config.katsu.inspector = 1; accepted are false and a path such as \"/katsu\""
  end
end
