# frozen_string_literal: true

module Katsu
  module Query
    module Drivers
      # The gem sqlite3: its statements are prepared, bound and closed by the gem, and read by SQLite's own functions,
      # which SQLite gives to an extension that it loads.
      module Sqlite
        # Versions of the gem whose ways are known.
        VERSIONS = Gem::Requirement.new(">= 2.0", "< 3")
        # Of ActiveRecord's adapter. PREPROCESS: what it does to a query's SQL from 8.0 on.
        METHODS = %i[type_casted_binds log with_raw_connection verified!].freeze
        PREPROCESS = %i[preprocess_query].freeze
        EXTENSION = %r{/katsu/(\d+\.\d+/)?native\.#{RbConfig::CONFIG["DLEXT"]}\z}
        private_constant :VERSIONS, :METHODS, :PREPROCESS, :EXTENSION

        class << self
          # True: there is no object for a value.
          def direct? = true

          # True if rows of the connection can be read.
          def available?(connection)
            return false unless Drivers.has?(connection, METHODS) && utf8?
            return false unless Drivers.has?(connection, PREPROCESS) || Drivers.has?(connection, PREPROCESS_7)

            connection.send(:with_raw_connection, materialize_transactions: false) do |raw|
              handle(raw) && !Native::SqliteRows.callbacks?(raw) ? true : false
            end
          end

          # As the adapter's own query, but for who reads the rows.
          def select(connection, sql, name, binds, prepare, allow_retry, _columns)
            since8 = Drivers.has?(connection, PREPROCESS)
            sql = since8 ? connection.send(:preprocess_query, sql) : Drivers.preprocess_7(connection, sql)
            values = connection.send(:type_casted_binds, binds)
            log(connection, sql, name, binds, values, allow_retry) do |payload|
              connection.send(:with_raw_connection, allow_retry: since8 && allow_retry) do |raw|
                result = with_statement(connection, raw, sql, prepare) { |statement| read(raw, statement, values) }
                connection.send(:verified!)
                payload&.merge!(since81?(connection) ? {affected_rows: 0} : {}, row_count: result.rows.size)
                result
              end
            end
          end

          # What reads the statements of a SQLite3::Database, or false: it is asked once to load the extension.
          def handle(raw)
            return false if raw.closed?
            return raw.instance_variable_get(:@katsu_handle) if raw.instance_variable_defined?(:@katsu_handle)

            raw.instance_variable_set(:@katsu_handle, new_handle(raw))
          end

          private

          # Strings are made in UTF-8, unless Ruby has another internal encoding.
          def utf8?
            [nil, Encoding::UTF_8].include?(Encoding.default_internal)
          end

          def log(connection, sql, name, binds, values, allow_retry, &block)
            more = since81?(connection) ? {allow_retry: allow_retry} : {}
            connection.send(:log, sql, name, binds, values, **more, &block)
          end

          # ActiveRecord 8.1 says whether the query may be made again, and how many rows it changed.
          def since81?(connection)
            @since81 ||= {}
            klass = connection.class
            @since81.fetch(klass) do
              @since81[klass] = klass.instance_method(:log).parameters.include?(%i[key allow_retry])
            end
          end

          # Yields the statement, which is one of the connection's pool if prepare is true, and closed otherwise.
          def with_statement(connection, raw, sql, prepare)
            pool = connection.instance_variable_get(:@statements) if prepare
            statement = pool ? pooled(pool, raw, sql) : prepared(raw, sql)
            begin
              yield statement
            ensure
              pool ? statement.reset! : statement.close
            end
          end

          # A statement that ActiveRecord has prepared cannot be found among SQLite's and is prepared again, once.
          def pooled(pool, raw, sql)
            found = pool[sql]
            return found.reset! if found && Native::SqliteRows.known?(found)

            pool.delete(sql) if found
            pool[sql] = prepared(raw, sql)
          end

          def prepared(raw, sql)
            raw.prepare(sql).tap { |statement| Native::SqliteRows.know(handle(raw), statement, sql) }
          end

          def read(raw, statement, values)
            statement.bind_params(values) unless values.nil? || values.empty?
            rows = Native::SqliteRows.read(handle(raw), statement)
            rows ? Result.new(rows.columns, rows) : read_again(statement)
          end

          # After an error, which the gem meets again and raises; or a statement that is not known.
          def read_again(statement)
            statement.reset!
            Result.new(statement.columns, statement.to_a)
          end

          def new_handle(raw)
            known = VERSIONS.satisfied_by?(Gem::Version.new(::SQLite3::VERSION))
            return refuse("sqlite3 #{::SQLite3::VERSION} is not known") unless known

            load_into(raw)
            handle = Native::SqliteRows.handle(::SQLite3::SQLITE_LOADED_VERSION)
            return refuse("SQLite gives no functions") unless handle

            of?(raw, handle) ? handle : refuse("statements of a SQLite3::Database are not found")
          rescue ::SQLite3::Exception => e
            refuse(e.message)
          end

          # True if the handle finds a statement of the SQLite3::Database. With RUBY_MN_THREADS it may be another's: a
          # thread of Ruby moves between those of the system.
          def of?(raw, handle)
            sql = "SELECT 1"
            statement = raw.prepare(sql)
            Native::SqliteRows.know(handle, statement, sql)
            Native::SqliteRows.known?(statement)
          ensure
            statement&.close
          end

          # Loading is allowed for this one, if it is not anyway.
          def load_into(raw)
            feature = $LOADED_FEATURES.find { |path| EXTENSION.match?(path) }
            raw.load_extension(feature)
          rescue ::SQLite3::Exception
            raw.enable_load_extension(true)
            begin
              raw.load_extension(feature)
            ensure
              raw.enable_load_extension(false)
            end
          end

          def refuse(reason)
            Drivers.report("SQLite", reason)
            false
          end
        end
      end
    end
  end
end
