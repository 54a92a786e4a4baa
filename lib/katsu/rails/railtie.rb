# frozen_string_literal: true

module Katsu
  # What Katsu adds to Rails. `require "katsu"` loads it if Rails is there already, as it is when Bundler requires the
  # gems of an application; otherwise `require "katsu/rails"` does.
  module Rails
    # config.katsu.default_serializers = true finds the serializer of `render json: posts` by the name of the model.
    # config.katsu.inspector is the path of the page about serializers, or false; "/katsu" in development.
    class Railtie < ::Rails::Railtie
      config.katsu = ActiveSupport::OrderedOptions.new
      config.katsu.default_serializers = false
      config.katsu.inspector = ::Rails.env.development? && "/katsu"

      # Before the application's initializers, which may load controllers.
      initializer "katsu.controllers" do
        ActiveSupport.on_load(:action_controller) { include Rendering }
      end

      initializer "katsu.log" do
        require_relative "../log_subscriber"
        LogSubscriber.attach_to :katsu
      end

      initializer "katsu.reloading" do |app|
        require_relative "reloading"
        app.reloader.before_class_unload { Reloading.forget }
      end

      rake_tasks { load File.expand_path("tasks.rb", __dir__) }

      # The settings first: those of Rails' generators that are required here keep what they find.
      generators do |app|
        ::Rails::Generators.configure!(app.config.generators)
        ::Rails::Generators.hidden_namespaces.uniq!
        require_relative "generator_hook"
      end

      # After the application's initializers, which may set them.
      initializer "katsu.settings", after: :load_config_initializers do |app|
        known = {default_serializers: [true, false], inspector: [false, Settings::PATH]}
        Settings.check(app.config.katsu, known)
        if app.config.katsu.default_serializers
          ActiveSupport.on_load(:action_controller) { self.katsu_default_serializers = true }
        end
      end

      # Before the routes of the application, of which the last may take every path.
      initializer "katsu.inspector", after: "katsu.settings" do |app|
        if (path = app.config.katsu.inspector)
          require_relative "inspector"
          app.routes.prepend { mount Inspector => path, as: :katsu_inspector, internal: true }
        end
      end
    end
  end
end

require_relative "settings"
require_relative "rendering"
