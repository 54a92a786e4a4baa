# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # The gem pg: the PG::Result of ActiveRecord 8's internal_execute, or that of Postgresql7.
      module Postgresql
        EXTENSION = %r{/pg_ext\.#{RbConfig::CONFIG["DLEXT"]}\z}
        # What internal_execute has to take.
        KEYWORDS = %i[prepare allow_retry].freeze
        private_constant :EXTENSION, :KEYWORDS

        class << self
          # True: there is no object for a value.
          def direct? = true

          # True if results of the connection can be read.
          def available?(connection)
            @found ||= look
            @found == :all && (since8?(connection) || Postgresql7.available?(connection))
          end

          def select(connection, sql, name, binds, prepare, allow_retry, _columns)
            result = execute(connection, sql, name, binds, prepare, allow_retry)
            rows = Native::PostgresqlRows.new(result)
            Result.new(rows.columns, rows)
          end

          # Finds the functions of pg's extension: :all, or :some after one line that names the one that is missing.
          def look(feature = $LOADED_FEATURES.find { |path| EXTENSION.match?(path) })
            missing = feature ? Native::PostgresqlRows.look_in(feature) : "pg_ext"
            return :all unless missing

            Drivers.report("PostgreSQL", "#{missing} is not found")
            :some
          end

          private

          def since8?(connection)
            Drivers.executes?(connection, :internal_execute, KEYWORDS)
          end

          def execute(connection, sql, name, binds, prepare, allow_retry)
            unless since8?(connection)
              return Postgresql7.execute(connection, sql, name, binds, prepare, allow_retry)
            end

            connection.send(:internal_execute, sql, name, binds, prepare: prepare, allow_retry: allow_retry)
          end
        end
      end
    end
  end
end
