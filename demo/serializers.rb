# frozen_string_literal: true

# The same document by Katsu and by what Rails teams use today, each declared as its guide says.
module Demo
  COLUMNS = %i[id name version maintainer description installed_size essential changed_at].freeze

  # Declared once, for Katsu and for Panko.
  def self.declare(base)
    section = Class.new(base) { attributes :id, :name }
    dependency = Class.new(base) { attributes :name, :version }
    Class.new(base) do
      attributes(*COLUMNS)
      has_one :section, serializer: section
      has_many :dependencies, serializer: dependency
    end
  end

  PackageSerializer = declare(Katsu::Serializer)

  # name => a callable that makes the document from records; only what is installed.
  def self.contenders
    katsu = ->(records) { Katsu::ArraySerializer.new(records, each_serializer: PackageSerializer).to_json }
    contenders = {"Katsu" => katsu}
    optional("panko_serializer") { contenders["Panko"] = panko }
    optional("alba") { contenders["Alba"] = alba }
    optional("oj") { contenders["Oj, as_json"] = ->(records) { Oj.dump(as_json(records), mode: :compat) } }
    contenders["to_json"] = ->(records) { as_json(records).to_json }
    contenders
  end

  # What is read from the database, with its associations.
  def self.records
    Installed.includes(:section, :dependencies).order(:id).to_a
  end

  # The same from the query on: Katsu without records, then each with records that it loads.
  def self.requests
    loading = contenders.to_h { |name, call| ["#{name}, records", ->(_) { call.call(records) }] }
    {"Katsu, rows" => ->(_) { PackageSerializer.many(Installed.order(:id)).to_json }, **loading}
  end

  def self.optional(gem)
    require gem
    yield
  rescue LoadError
    warn "#{gem} is not installed; left out"
  end

  def self.as_json(records)
    records.as_json(only: COLUMNS, include: {section: {only: %i[id name]}, dependencies: {only: %i[name version]}})
  end

  def self.panko
    serializer = declare(Panko::Serializer)
    ->(records) { Panko::ArraySerializer.new(records, each_serializer: serializer).to_json }
  end

  def self.alba
    Alba.backend = :oj_rails if defined?(Oj)
    section = Class.new do
      include Alba::Resource
      attributes :id, :name
    end
    dependency = Class.new do
      include Alba::Resource
      attributes :name, :version
    end
    resource = Class.new do
      include Alba::Resource
      attributes(*COLUMNS)
      one :section, resource: section
      many :dependencies, resource: dependency
    end
    ->(records) { resource.new(records).serialize }
  end
end
