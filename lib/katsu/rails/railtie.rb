# frozen_string_literal: true

module Katsu
  # What Katsu adds to Rails. `require "katsu"` loads it if Rails is there already, as it is when Bundler requires the
  # gems of an application; otherwise `require "katsu/rails"` does.
  module Rails
    # config.katsu.default_serializers = true finds the serializer of `render json: posts` by the name of the model.
    class Railtie < ::Rails::Railtie
      config.katsu = ActiveSupport::OrderedOptions.new
      config.katsu.default_serializers = false

      initializer "katsu.controllers" do |app|
        known = {default_serializers: [true, false]}
        Settings.check(app.config.katsu, known)
        by_model = app.config.katsu.default_serializers
        ActiveSupport.on_load(:action_controller) do
          include Rendering
          self.katsu_default_serializers = by_model
        end
      end

      initializer "katsu.log" do
        require_relative "../log_subscriber"
        LogSubscriber.attach_to :katsu
      end
    end
  end
end

require_relative "settings"
require_relative "rendering"
