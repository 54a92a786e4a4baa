# frozen_string_literal: true

# Wide and real: a table as applications have it, 17 columns of ten types, in JSON and in Hashes.
module Benchmarks
  module Wide
    STRINGS = %i[name email slug city country phone].freeze
    COLUMNS = {text: %i[notes], decimal: %i[price tax], boolean: %i[active], float: %i[score], date: %i[born_on],
               datetime: %i[created_at updated_at], integer: %i[visits position], json: %i[settings]}.freeze
    ATTRIBUTES = [*STRINGS, *COLUMNS.values.flatten].freeze
    SIZES = [20, 1000].freeze
    TARGETS = {to_json: 20, to_a: 3}.freeze

    module_function

    def rows
      require_relative "support/blog"
      sizes = Benchmarks.sizes(*SIZES)
      Blog.prepare(50)
      customers = model(sizes.max)
      ours, theirs = [Katsu::Serializer, Panko::Serializer].map { |base| Class.new(base) { attributes(*ATTRIBUTES) } }
      sizes.product(TARGETS.keys).map { |size, call| row(customers.order(:id).limit(size).to_a, call, ours, theirs) }
    end

    def row(records, call, ours, theirs)
      katsu = ActiveRecordTable.katsu(call, records, ours, {})
      panko = Harness::Peer.new("panko", ActiveRecordTable.panko(call, records, theirs, {}))
      json = call == :to_json
      Harness::Row.new(table: "wide", name: json ? "wide and real" : "wide and real, to Hash", size: records.size,
                       katsu: katsu, peers: [panko], target: ActiveRecordTable.native? ? TARGETS.fetch(call) : nil,
                       allocations_target: json && ActiveRecordTable.native? ? 5 : nil)
    end

    def model(count)
      ActiveRecord::Base.connection.create_table(:customers) do |t|
        STRINGS.each { |name| t.string name }
        COLUMNS.each do |type, names|
          names.each { |name| t.column name, type, **(type == :decimal ? {precision: 10, scale: 2} : {}) }
        end
      end
      Class.new(ActiveRecord::Base) do
        self.table_name = "customers"
        define_singleton_method(:name) { "Customer" }
        insert_all!(Array.new(count) { |id| Wide.values(id) })
      end
    end

    def values(id)
      {name: "Customer number #{id}", email: "customer#{id}@example.test", slug: "customer-number-#{id}",
       city: %w[Zürich Osaka Lagos Lima][id % 4], country: %w[CH JP NG PE][id % 4], phone: "+41 44 555 #{id + 1000}",
       notes: "Asked for \"express\"\tdelivery;\nspeaks 日本語 and français, number #{id}. #{"Nothing else. " * 5}",
       price: "#{id}.25", tax: "7.70", active: id.odd?, score: id / 7.0, born_on: "1980-01-02",
       created_at: Time.utc(2026, 1, 1) + id, updated_at: Time.utc(2026, 6, 1, 12, 30, 15, 250_000) + id,
       visits: id * 3, position: id, settings: {theme: "dark", columns: [1, 2, id], mail: {weekly: true}}}
    end
  end

  table("wide") { Wide.rows }
end
