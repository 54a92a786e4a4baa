# frozen_string_literal: true

module Fuzz
  # The connection of a process. Each adapter and backend has a schema or a database of its own on the same server.
  module Database
    CONNECTIONS = {
      "sqlite3" => -> { {adapter: "sqlite3", database: ":memory:"} },
      "postgresql" => lambda {
        {adapter: "postgresql", host: ENV.fetch("KATSU_POSTGRESQL"), username: "katsu", database: "postgres",
         min_messages: "warning"}
      },
      "mysql2" => -> { mysql("mysql2") },
      "trilogy" => -> { mysql("trilogy") }
    }.freeze

    class << self
      # database: the name of an adapter. Connects once.
      def connect(database)
        return if @database == database

        ActiveRecord::Schema.verbose = false
        ActiveRecord::Base.establish_connection(instance_exec(&CONNECTIONS.fetch(database)))
        use_space(database, "katsu_fuzz_#{database}_#{ENV.fetch("KATSU_BACKEND")}")
        @database = database
      end

      # Drops all tables, and what ActiveRecord knows of them.
      def clear
        connection = ActiveRecord::Base.connection
        connection.tables.each { |table| connection.drop_table(table, if_exists: true) }
        connection.clear_cache!
        connection.schema_cache.clear!
      end

      private

      def mysql(adapter)
        {adapter: adapter, socket: ENV.fetch("KATSU_MYSQL"), username: "root", encoding: "utf8mb4"}
      end

      def use_space(database, space)
        base = ActiveRecord::Base
        settings = instance_exec(&CONNECTIONS.fetch(database))
        case database
        when "postgresql"
          base.connection.drop_schema(space, if_exists: true)
          base.connection.create_schema(space)
          base.establish_connection({**settings, schema_search_path: space})
        when "mysql2", "trilogy"
          base.connection.recreate_database(space)
          base.establish_connection({**settings, database: space})
        end
      end
    end
  end
end
