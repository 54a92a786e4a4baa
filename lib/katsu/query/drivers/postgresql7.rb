# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # Makes a query of PostgreSQL as the adapter of ActiveRecord 7.1 and 7.2. The methods of the adapter make a Hash
      # of each row to count them.
      module Postgresql7
        METHODS = %i[verified! log update_typemap_for_default_timezone type_casted_binds with_raw_connection
                     prepare_statement exec_cache is_cached_plan_failure? in_transaction?].freeze
        KEYWORDS = %i[allow_retry materialize_transactions].freeze
        private_constant :METHODS, :KEYWORDS

        class << self
          def available?(connection)
            Drivers.executes?(connection, :with_raw_connection, KEYWORDS) &&
              Drivers.has?(connection, PREPROCESS_7) && Drivers.has?(connection, METHODS)
          end

          # Returns the PG::Result.
          def execute(connection, sql, name, binds, prepare, allow_retry)
            sql = Drivers.preprocess_7(connection, sql)
            connection.send(:update_typemap_for_default_timezone)
            return plain(connection, sql, name, binds, allow_retry) if !prepare || binds.empty?

            prepared(connection, sql, name, binds, allow_retry)
          end

          private

          def plain(connection, sql, name, binds, allow_retry)
            values = connection.send(:type_casted_binds, binds)
            connection.send(:log, sql, name, binds, values) do |payload|
              with_raw(connection, allow_retry) do |raw|
                counted(connection, payload, raw.exec_params(sql, values))
              end
            end
          end

          def prepared(connection, sql, name, binds, allow_retry)
            with_raw(connection, allow_retry) do |raw|
              statement = connection.send(:prepare_statement, sql, binds, raw)
              values = connection.send(:type_casted_binds, binds)
              connection.send(:log, sql, name, binds, values, statement) do |payload|
                counted(connection, payload, raw.exec_prepared(statement, values))
              end
            end
          rescue ::ActiveRecord::StatementInvalid => e
            raise unless connection.send(:is_cached_plan_failure?, e)

            anew(connection, sql, name, binds, allow_retry, e)
          end

          def with_raw(connection, allow_retry, &block)
            connection.send(:with_raw_connection, allow_retry: allow_retry, materialize_transactions: true, &block)
          end

          def counted(connection, payload, result)
            connection.send(:verified!)
            payload[:row_count] = result.ntuples
            result
          end

          # A table has changed since the statement was prepared. The adapter's method prepares it again. Within a
          # transaction PostgreSQL refuses every query after an error.
          def anew(connection, sql, name, binds, allow_retry, error)
            if connection.send(:in_transaction?)
              raise ::ActiveRecord::PreparedStatementCacheExpired.new(error.cause.message,
                                                                      connection_pool: connection.pool)
            end

            connection.send(:exec_cache, sql, name, binds, async: false, allow_retry: allow_retry,
                                                           materialize_transactions: true)
          end
        end
      end
      private_constant :Postgresql7
    end
  end
end
