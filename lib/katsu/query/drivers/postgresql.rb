# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # The gem pg: the PG::Result of ActiveRecord 8's internal_execute.
      module Postgresql
        EXTENSION = %r{/pg_ext\.#{RbConfig::CONFIG["DLEXT"]}\z}
        # What internal_execute has to take.
        KEYWORDS = %i[prepare allow_retry].freeze
        private_constant :EXTENSION, :KEYWORDS

        class << self
          # True if results of the connection can be read.
          def available?(connection)
            @found ||= look
            @found == :all && executes?(connection)
          end

          def select(connection, sql, name, binds, preparable, allow_retry)
            options = {prepare: connection.prepared_statements && preparable, allow_retry: allow_retry || false}
            rows = Native::PostgresqlRows.new(connection.send(:internal_execute, sql, name, binds, **options))
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

          def executes?(connection)
            @executes ||= {}
            klass = connection.class
            @executes.fetch(klass) { @executes[klass] = takes_keywords?(klass) }
          end

          def takes_keywords?(klass)
            defined = klass.private_method_defined?(:internal_execute) || klass.method_defined?(:internal_execute)
            defined && (KEYWORDS - klass.instance_method(:internal_execute).parameters.map(&:last)).empty?
          end
        end
      end
    end
  end
end
