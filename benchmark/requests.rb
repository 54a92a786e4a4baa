# frozen_string_literal: true

# Whole requests: a query, and its rows as JSON. SQLite always; PostgreSQL and MariaDB (by mysql2, as rails new has it,
# and by trilogy) with bin/bench requests --databases.
module Benchmarks
  module Requests
    # The driver's fastest call for the rows of a statement: a whole request takes longer. If a column has times, mysql2
    # is faster when it makes Strings of all values; Katsu has it do that, too.
    DRIVERS = {
      "PostgreSQL" => ->(raw, sql) {
        name = "alone #{sql.hash}"
        raw.prepare(name, sql)
        -> { raw.exec_prepared(name) }
      },
      "MariaDB" => ->(raw, sql) { -> { raw.query(sql, as: :array, cast: false, cache_rows: false).to_a } },
      "MariaDB (trilogy)" => ->(raw, sql) { -> { raw.query(sql).rows } }
    }.freeze
    # name => [how to connect, targets of the native backend by row]
    DATABASES = {
      "SQLite" => [-> { {adapter: "sqlite3", database: ":memory:"} }, {posts: 5, own_json: 0.8}],
      "PostgreSQL" => [-> {
        {adapter: "postgresql", host: ENV.fetch("KATSU_POSTGRESQL"), username: "katsu", database: "postgres"}
      },
                       {posts: 3.5, own_json: 2}],
      "MariaDB" => [-> { mariadb("mysql2") }, {posts: 3}],
      "MariaDB (trilogy)" => [-> { mariadb("trilogy") }, {posts: 3}]
    }.freeze
    NEEDED = {"PostgreSQL" => "KATSU_POSTGRESQL", "MariaDB" => "KATSU_MYSQL",
              "MariaDB (trilogy)" => "KATSU_MYSQL"}.freeze
    # Of a page of 50, of the ruby backend, of documents with associations, and of those that need records.
    SMALL = 2
    RUBY = 2.5
    ASSOCIATIONS = 4
    RECORDS = 1
    COLUMNS = %i[id body title author_id].freeze

    module_function

    def mariadb(adapter)
      {adapter: adapter, socket: ENV.fetch("KATSU_MYSQL"), username: "root", database: "katsu"}
    end

    # SQLite, and those that have a server.
    def databases = DATABASES.keys.select { |name| NEEDED[name].nil? || ENV.key?(NEEDED[name]) }

    def rows
      databases.flat_map { |name| Benchmarks.sizes(50, 2300).flat_map { |size| Rows.new(name, size).all } }
    end

    # The rows of one database and size.
    class Rows
      def initialize(database, size)
        @database = database
        @size = size
        @models = Models.of(database)
        @posts = @models::Post.order(:id).limit(size)
      end

      def all
        [posts, associations, method_field, records, own_json, others].compact
      end

      private

      def posts
        katsu = Harness.calling { Blog::KATSU::Simple.many(@posts.dup).to_json }
        panko = Harness.calling { Panko::ArraySerializer.new(@posts.dup.to_a,
                                                             each_serializer: Blog::PANKO::Simple).to_json }
        row("posts", target(:posts), katsu, "panko" => panko).tap { |row| row.peers.concat(alone) }
      end

      # The driver's call as a peer, for a page from a server's database; otherwise none.
      def alone
        prepare = DRIVERS[@database]
        return [] unless prepare && @size <= 50

        call = prepare.call(@models::Post.connection.raw_connection, @posts.to_sql)
        [Harness::Peer.new("driver alone", Harness.calling(&call), true)]
      end

      def associations
        loaded = @posts.includes(:author, :comments)
        katsu = Harness.calling { @models::KATSU::Full.many(@posts.dup).to_json }
        panko = Harness.calling { Panko::ArraySerializer.new(loaded.dup.to_a,
                                                             each_serializer: @models::PANKO::Full).to_json }
        row("has_one, has_many", @size > 50 ? goal(ASSOCIATIONS) : goal(SMALL), katsu, "panko" => panko)
      end

      # A method field that reads a column.
      def method_field = by_hand("method field", Blog::KATSU::MethodCall)

      # One that needs the record.
      def records = by_hand("method field, records", Blog::KATSU::RecordCall)

      # A method field without needs: against loading the records by hand.
      def by_hand(name, serializer)
        katsu = Harness.calling { serializer.many(@posts.dup).to_json }
        by_hand = Harness.calling { Katsu::ArraySerializer.new(@posts.dup.to_a, each_serializer: serializer).to_json }
        row(name, RECORDS, katsu, "loaded by hand" => by_hand)
      end

      def own_json
        sql = @models.own_json(@posts.select(*COLUMNS))
        katsu = Harness.calling { Blog::KATSU::Simple.many(@posts.dup, only: COLUMNS).to_json }
        connection = @models::Post.connection
        target = DATABASES.fetch(@database)[1][:own_json] if @size > 50 && native?
        row("the database's JSON", target, katsu, "database" => Harness.calling { connection.select_value(sql) })
      end

      def others
        katsu = Harness.calling { Blog::KATSU::Simple.many(@posts.dup, only: COLUMNS).to_json }
        pluck = Harness.calling { Katsu.generate(@posts.dup.pluck(*COLUMNS).map { |values| COLUMNS.zip(values).to_h }) }
        as_json = Harness.calling { ActiveSupport::JSON.encode(@posts.dup.select(*COLUMNS).as_json) }
        row("other ways", nil, katsu, "pluck" => pluck, "as_json" => as_json)
      end

      def row(name, target, katsu, peers)
        peers = peers.map { |peer, call| Harness::Peer.new(peer, call) }
        Harness::Row.new(table: "requests", name: "#{@database}: #{name}", size: @size, target: target, katsu: katsu,
                         peers: peers)
      end

      def target(name)
        @size > 50 ? goal(DATABASES.fetch(@database)[1].fetch(name)) : goal(SMALL)
      end

      # The ruby backend has a target for all records.
      def goal(native)
        return native if native?

        RUBY if @size > 50
      end

      def native? = Katsu.backend == :native
    end

    # The models of a database, its posts, and the serializers for them.
    module Models
      COUNT = 2300

      class << self
        def of(database)
          @of ||= {}
          @of[database] ||= const_set(constant(database), make(database))
        end

        private

        def constant(database) = database.delete("^A-Za-z")

        def make(database)
          base = Class.new(ActiveRecord::Base) { self.abstract_class = true }
          models = Module.new { const_set(:Base, base) }
          const_set(:"#{constant(database)}Base", base)
          base.establish_connection(DATABASES.fetch(database)[0].call)
          define_models(models, base)
          create(base.connection)
          insert(models)
          analyze(base.connection)
          define_json(models, database)
          models
        end

        def define_models(models, base)
          names = %i[Author Post Comment]
          names.each do |name|
            models.const_set(name, Class.new(base) do
              self.table_name = "katsu_#{name.to_s.downcase}s"
            end)
          end
          author, post, comment = names.map { |name| models.const_get(name) }
          post.belongs_to(:author, anonymous_class: author, foreign_key: :author_id)
          post.has_many(:comments, anonymous_class: comment, foreign_key: :post_id)
          models.const_set(:KATSU, serializers(Katsu::Serializer))
          models.const_set(:PANKO, serializers(Panko::Serializer))
        end

        def serializers(parent)
          author = Class.new(parent) { attributes :id, :name }
          comment = Class.new(parent) { attributes :id, :body }
          full = Class.new(parent) do
            attributes :id, :body, :title, :author_id, :created_at
            has_one :author, serializer: author
            has_many :comments, serializer: comment
          end
          Module.new { {Author: author, Comment: comment, Full: full}.each { |name, made| const_set(name, made) } }
        end

        def create(connection)
          connection.create_table(:katsu_authors, force: true) { |t| t.string :name }
          connection.create_table(:katsu_posts, force: true) do |t|
            t.text :body
            t.string :title
            t.bigint :author_id
            t.datetime :created_at
          end
          connection.create_table(:katsu_comments, force: true) do |t|
            t.text :body
            t.bigint :post_id, index: true
          end
        end

        def insert(models)
          (1..COUNT).each_slice(500) do |ids|
            models::Author.insert_all!(ids.map { |id| {id: id, name: "Author #{id}"} })
            models::Post.insert_all!(ids.map { |id| post(id) })
            models::Comment.insert_all!(ids.flat_map do |id|
              Array.new(2) do |i|
                {body: "comment #{i} of #{id}", post_id: id}
              end
            end)
          end
        end

        # A database in use knows its tables; a new one would read all comments to find those of a page.
        def analyze(connection)
          tables = %w[katsu_authors katsu_posts katsu_comments].join(", ")
          statement = {"PostgreSQL" => "ANALYZE", "SQLite" => nil}.fetch(connection.adapter_name, "ANALYZE TABLE")
          connection.execute("#{statement} #{tables}") if statement
        end

        def post(id)
          {id: id, body: "something about a body, #{id} ".ljust(60, "abc "),
           title: "title of the post #{id} ".ljust(40, "xyz "), author_id: id,
           created_at: Time.utc(2026, 1, 1) + id}
        end

        FUNCTIONS = {"SQLite" => %w[json_group_array json_object], "PostgreSQL" => %w[json_agg json_build_object],
                     "MariaDB" => %w[JSON_ARRAYAGG JSON_OBJECT],
                     "MariaDB (trilogy)" => %w[JSON_ARRAYAGG JSON_OBJECT]}.freeze
        private_constant :FUNCTIONS

        # own_json gives the SQL that has the database make the JSON array of a relation's rows.
        def define_json(models, database)
          array, object = FUNCTIONS.fetch(database)
          pairs = COLUMNS.map { |name| "'#{name}', rows_.#{name}" }.join(", ")
          models.define_singleton_method(:own_json) do |relation|
            "SELECT #{array}(#{object}(#{pairs})) FROM (#{relation.to_sql}) rows_"
          end
        end
      end
    end
  end

  table("requests") do
    require_relative "support/blog"
    Requests.rows
  end
end
