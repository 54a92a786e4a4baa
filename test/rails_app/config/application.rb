# frozen_string_literal: true

require "rails"
require "active_record/railtie"
require "action_controller/railtie"
require "katsu"

# A small application as others are: models, serializers and controllers where Rails looks for them. See
# ../support/server.rb, which starts it.
module Blog
  # The folder for its log and its SQLite database.
  FOLDER = ENV.fetch("KATSU_APP_FOLDER")

  class Application < Rails::Application
    config.root = File.expand_path("..", __dir__)
    config.load_defaults Rails.version[/\A\d+\.\d+/]
    config.eager_load = Rails.env.production?
    config.enable_reloading = !Rails.env.production?
    config.consider_all_requests_local = !Rails.env.production?
    config.secret_key_base = "katsu"
    config.logger = ActiveSupport::TaggedLogging.new(Logger.new(File.join(FOLDER, "log")))
    config.log_level = :info
    config.log_tags = [:request_id]
    config.cache_store = :memory_store
    config.active_record.maintain_test_schema = false

    # Tables with rows that are the same for each run but for their ids.
    def self.load_tables
      ActiveRecord::Tasks::DatabaseTasks.create_current(Rails.env)
      ActiveRecord::Migration.suppress_messages { load root.join("db/schema.rb") }
      load root.join("db/seeds.rb")
    end
  end
end
