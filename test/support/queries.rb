# frozen_string_literal: true

# Looks at the queries that ActiveRecord makes.
module Queries
  IGNORED = ["SCHEMA", "TRANSACTION"].freeze

  # The SQL of the queries that the block makes.
  def queries
    made = []
    listener = ->(*, payload) { made << payload[:sql] unless IGNORED.include?(payload[:name]) }
    ActiveSupport::Notifications.subscribed(listener, "sql.active_record") { yield }
    made
  end

  # How many records the block makes.
  def records_made
    made = 0
    listener = ->(*, payload) { made += payload[:record_count] }
    ActiveSupport::Notifications.subscribed(listener, "instantiation.active_record") { yield }
    made
  end
end
