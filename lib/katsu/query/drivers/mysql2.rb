# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # The gem mysql2: the Mysql2::Result of ActiveRecord 8's internal_execute. Its values stay texts if the gem would
      # make Times, Dates or BigDecimals of some. A String is made for each of them.
      module Mysql2
        # What internal_execute has to take.
        KEYWORDS = %i[prepare allow_retry].freeze
        # Of ActiveRecord's adapter.
        METHODS = %i[cast_result prepared_statements default_timezone].freeze
        # Options of a result with which the gem makes the values that are known here.
        OPTIONS = {as: :array, cast: true, cast_booleans: false, stream: false, symbolize_keys: false,
                   database_timezone: :utc, application_timezone: nil}.freeze
        AS_TEXTS = {as: :array, cast: false, cache_rows: false}.freeze
        private_constant :KEYWORDS, :METHODS, :OPTIONS, :AS_TEXTS

        class << self
          # False: there is an object for each value.
          def direct? = false

          # True if results of the connection can be read. Those of prepared statements have no texts.
          def available?(connection)
            return false unless METHODS.all? { |name| connection.respond_to?(name, true) } && field_types?

            !connection.prepared_statements && Drivers.executes?(connection, KEYWORDS)
          end

          def select(connection, sql, name, binds, prepare, allow_retry)
            result = connection.send(:internal_execute, sql, name, binds, prepare: prepare, allow_retry: allow_retry)
            kinds = kinds_of(result) if binds.empty?
            kinds ? read(result, kinds) : connection.send(:cast_result, result)
          end

          private

          def field_types?
            defined?(::Mysql2::Result) && ::Mysql2::Result.method_defined?(:field_types)
          end

          # nil if the gem makes the values.
          def kinds_of(result)
            options = result.instance_variable_get(:@query_options)
            return unless options.is_a?(Hash) && OPTIONS.all? { |name, value| (options[name] || nil) == (value || nil) }

            Native::Mysql2Rows.kinds(result.field_types)
          end

          # The result is freed when it is known that it need not be read again: the garbage collector does not know
          # how large it is.
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
