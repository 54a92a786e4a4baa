# frozen_string_literal: true

require_relative "drivers/postgresql"

module Katsu
  module Query
    # Rows as the database's driver has them, read natively without a Ruby object for each value. If something is
    # missing or is not as expected, ActiveRecord::Result's rows serve.
    module Drivers
      # What a query gave: the names of the columns, and its rows.
      Result = Struct.new(:columns, :rows)

      # By the adapter's name.
      ADAPTERS = Ractors.share("PostgreSQL" => :Postgresql, "PostGIS" => :Postgresql)
      private_constant :ADAPTERS

      @reported = {}

      class << self
        # The Result of a query, or nil if no driver serves. The query is made as ActiveRecord's select_all makes it.
        def select(connection, arel, name)
          driver = driver_of(connection)
          return unless driver&.available?(connection)

          sql, binds, preparable, allow_retry = connection.send(:to_sql_and_binds, arel)
          cached(connection, sql, name, binds) || driver.select(connection, sql, name, binds, preparable, allow_retry)
        end

        # True if a driver serves the connection.
        def available?(connection)
          driver_of(connection)&.available?(connection) || false
        end

        # Says once what is missing.
        def report(driver, reason)
          return if @reported[driver]

          @reported[driver] = true
          warn "katsu: #{driver} results are read as Ruby objects, which is slower: #{reason}"
        end

        private

        # The module of a connection's driver, or nil.
        def driver_of(connection)
          name = ADAPTERS[connection.adapter_name] if defined?(Native)
          const_get(name) if name
        end

        # What the query cache has; nil if it has nothing or is off.
        def cached(connection, sql, name, binds)
          return unless connection.query_cache_enabled && connection.respond_to?(:lookup_sql_cache, true)

          connection.send(:lookup_sql_cache, sql, name, binds)
        end
      end
    end
  end
end
