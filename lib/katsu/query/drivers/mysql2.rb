# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # The gem mysql2: the Mysql2::Result of ActiveRecord 8's internal_execute or ActiveRecord 7's execute_and_free. If
      # it has times, dates or decimals, all values are read as Strings, as making Times, Dates and BigDecimals takes
      # longer.
      module Mysql2
        # What internal_execute has to take, and execute_and_free.
        KEYWORDS = %i[prepare allow_retry].freeze
        KEYWORDS_7 = %i[allow_retry].freeze
        # Of ActiveRecord's adapter.
        METHODS = %i[prepared_statements default_timezone].freeze
        # Options of a result with which the gem makes the values that are known here. nil counts as false.
        OPTIONS = {as: :array, cast: true, cast_booleans: false, stream: nil, symbolize_keys: false,
                   database_timezone: :utc, application_timezone: nil}.freeze
        NAMES, VALUES = OPTIONS.to_a.transpose.each(&:freeze)
        AS_TEXTS = {as: :array, cast: false, cache_rows: false}.freeze
        # Of tables, and of sets of columns of one, whose kinds are kept.
        LIMIT = 64
        private_constant :KEYWORDS, :KEYWORDS_7, :METHODS, :OPTIONS, :NAMES, :VALUES, :AS_TEXTS, :LIMIT

        @kinds = BoundedCache.new(LIMIT)

        class << self
          # False: there is an object for each value.
          def direct? = false

          # True if results of the connection can be read. Those of prepared statements have no texts.
          def available?(connection)
            return false unless Drivers.has?(connection, METHODS)

            !connection.prepared_statements &&
              (since8?(connection) || Drivers.executes?(connection, :execute_and_free, KEYWORDS_7))
          end

          def select(connection, sql, name, binds, prepare, allow_retry, columns)
            result = execute(connection, sql, name, binds, prepare, allow_retry)
            kinds = kinds_of(result, columns) if binds.empty?
            kinds ? read(result, kinds) : cast(connection, result)
          end

          private

          def since8?(connection)
            Drivers.executes?(connection, :internal_execute, KEYWORDS) && connection.respond_to?(:cast_result, true)
          end

          def execute(connection, sql, name, binds, prepare, allow_retry)
            unless since8?(connection)
              return connection.execute_and_free(sql, name, allow_retry: allow_retry) { |result| result }
            end

            connection.send(:internal_execute, sql, name, binds, prepare: prepare, allow_retry: allow_retry)
          end

          def cast(connection, result)
            return connection.send(:cast_result, result) if since8?(connection)

            ::ActiveRecord::Result.new(result.fields, result.to_a)
          end

          # nil if the gem makes the values. The types are those of the table's columns: the gem's field_types fills an
          # Array that it does not mark for the garbage collector.
          def kinds_of(result, columns)
            options = result.instance_variable_get(:@query_options)
            return unless !columns.empty? && options.is_a?(Hash) && known?(options.values_at(*NAMES))

            names = result.fields
            kept = @kinds[columns] ||= BoundedCache.new(LIMIT, identity: false)
            found = kept[names] ||= [Native::Mysql2Rows.kinds(names.map { |name| columns[name]&.sql_type })]
            found[0]
          end

          def known?(values)
            values == VALUES || values.map { |value| value || nil } == VALUES.map { |value| value || nil }
          end

          # The result is freed here, as the garbage collector does not know how large it is.
          def read(result, kinds)
            columns = result.fields
            rows = Native::Mysql2Rows.read(rows_of(result, AS_TEXTS), kinds) || rows_of(result, {cache_rows: false})
            Result.new(columns, rows)
          ensure
            result.free
          end

          def rows_of(result, options)
            rows = []
            result.each(**options) { |row| rows << row }
            rows
          end
        end
      end
    end
  end
end
