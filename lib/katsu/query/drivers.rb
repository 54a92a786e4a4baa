# frozen_string_literal: true

require_relative "drivers/mysql2"
require_relative "drivers/postgresql"
require_relative "drivers/postgresql7"
require_relative "drivers/sqlite"

module Katsu
  module Query
    # Rows as the database's driver has them, read natively: if the driver allows it, without a Ruby object for each
    # value. If something is missing or is not as expected, ActiveRecord::Result's rows serve.
    module Drivers
      # What a query gave: the names of the columns, and its rows.
      Result = Struct.new(:columns, :rows) do
        def length = rows.size
      end

      # By the adapter's name.
      ADAPTERS = Ractors.share("PostgreSQL" => :Postgresql, "PostGIS" => :Postgresql, "SQLite" => :Sqlite,
                               "Mysql2" => :Mysql2)
      # The methods that preprocess_7 calls.
      PREPROCESS_7 = %i[transform_query check_if_write_query mark_transaction_written_if_write].freeze
      private_constant :ADAPTERS, :PREPROCESS_7

      @reported = {}
      @executes = Hash.new { |all, name| all[name] = {} }
      @selects = {}

      class << self
        # The Result of a query, or nil if no driver serves. The query is made as ActiveRecord's select_all makes it.
        # Raises RangeError for a number that no column holds, for which select_all finds nothing.
        #
        # query: an arel or a KeptQuery. columns: those of the model's table, by their names; empty if the query's may
        # be of other types.
        def select(connection, query, name, columns = {})
          driver = driver_of(connection)
          return unless driver&.available?(connection) && cache?(connection)

          prepared = connection.prepared_statements
          sql, binds, preparable, allow_retry = statement(connection, query, prepared)
          prepare = prepared && preparable ? true : false
          cached(connection, sql, name, binds) do
            driver.select(connection, sql, name, binds, prepare, allow_retry || false, columns)
          end
        end

        # Yields the model's connection.
        def with_connection(model, &block)
          model.respond_to?(:with_connection) ? model.with_connection(&block) : yield(model.connection)
        end

        # ActiveRecord's own Result of a query.
        def select_all(connection, query, name)
          return connection.select_all(query, name) unless query.is_a?(KeptQuery)
          return connection.select_all(query.arel, name) unless selects_statements?(connection.class)

          sql, binds, preparable, allow_retry = query.statement(connection)
          connection.select_all(sql, name, binds, preparable: preparable, allow_retry: allow_retry)
        end

        # True if a driver reads the connection's rows without a Ruby object for each value.
        def available?(connection)
          driver = driver_of(connection)
          (driver&.direct? && driver.available?(connection) && cache?(connection)) || false
        end

        # True if the connection has the method, which gives the result of the gem, and it takes those keywords.
        def executes?(connection, name, keywords)
          klass = connection.class
          known = @executes[name]
          known.fetch(klass) { known[klass] = takes_keywords?(klass, name, keywords) }
        end

        # True if the connection has all these methods, public or not.
        def has?(connection, names)
          names.all? { |name| connection.respond_to?(name, true) }
        end

        # What the adapters of ActiveRecord 7.1 and 7.2 do to a query's SQL before it is made; see PREPROCESS_7.
        def preprocess_7(connection, sql)
          sql = connection.send(:transform_query, sql)
          connection.send(:check_if_write_query, sql)
          connection.send(:mark_transaction_written_if_write, sql)
          sql
        end

        # Says once what is missing.
        def report(driver, reason)
          return if @reported[driver]

          @reported[driver] = true
          warn "katsu: #{driver} results are read as Ruby objects, which is slower: #{reason}"
        end

        private

        def statement(connection, query, prepared)
          query.is_a?(KeptQuery) ? query.statement(connection, prepared) : connection.send(:to_sql_and_binds, query)
        end

        # True if select_all of these connections takes all that a statement has: ActiveRecord 7.1 and later.
        def selects_statements?(klass)
          @selects.fetch(klass) do
            method = klass.instance_method(:select_all)
            method = method.super_method while gives_all?(method) && method.super_method
            keywords = method.parameters.map(&:last)
            @selects[klass] = keywords.include?(:allow_retry) && keywords.include?(:preparable)
          end
        end

        # True of the method of mysql2's adapter, which hands on what it is given.
        def gives_all?(method) = method.parameters.any? { |kind, _| kind == :keyrest }

        def takes_keywords?(klass, name, keywords)
          defined = klass.private_method_defined?(name) || klass.method_defined?(name)
          defined && (keywords - klass.instance_method(name).parameters.map(&:last)).empty?
        end

        # True if the connection's query cache is off, or of the form that is known: that of ActiveRecord 7.1 and later.
        def cache?(connection)
          return true unless connection.query_cache_enabled

          store = connection.query_cache
          store.respond_to?(:compute_if_absent) && store.respond_to?(:[]) &&
            connection.respond_to?(:lookup_sql_cache, true) &&
            connection.respond_to?(:cache_notification_info_result, true)
        end

        # The module of a connection's driver, or nil.
        def driver_of(connection)
          name = ADAPTERS[connection.adapter_name] if defined?(Native)
          const_get(name) if name
        end

        # By the query cache if that is on. ActiveRecord's own entries serve; a driver's result has an entry of its own,
        # as nobody else can use it.
        def cached(connection, sql, name, binds)
          return yield unless connection.query_cache_enabled

          found = connection.send(:lookup_sql_cache, sql, name, binds)
          return found if found

          key = [:katsu, sql, binds]
          found = connection.query_cache[key]
          return notified(connection, sql, name, binds, found) if found

          connection.query_cache.compute_if_absent(key) { yield }
        end

        # As ActiveRecord notes a query that its cache has answered.
        def notified(connection, sql, name, binds, result)
          payload = connection.send(:cache_notification_info_result, sql, name, binds, result)
          ActiveSupport::Notifications.instrument("sql.active_record", payload)
          result
        end
      end
    end
  end
end
