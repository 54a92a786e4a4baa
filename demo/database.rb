# frozen_string_literal: true

require "active_record"
require "active_support/json"

module Demo
  class Section < ActiveRecord::Base
    has_many :packages
  end

  class Installed < ActiveRecord::Base
    self.table_name = "packages"
    belongs_to :section
    has_many :dependencies, foreign_key: :package_id
  end

  class Dependency < ActiveRecord::Base; end

  # An SQLite file with the packages, made anew each time.
  module Database
    class << self
      # Yields how many packages are stored so far.
      def fill(file, packages)
        File.delete(file) if File.exist?(file)
        ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: file)
        create_tables
        done = 0
        packages.each_slice(200) do |slice|
          ActiveRecord::Base.transaction { slice.each { |package| store(package) } }
          yield done += slice.size
        end
      end

      private

      def create_tables
        ActiveRecord::Schema.verbose = false
        ActiveRecord::Schema.define do
          create_table(:sections) { |t| t.string :name }
          create_table :packages do |t|
            t.string :name, :version, :maintainer
            t.text :description
            t.integer :installed_size
            t.boolean :essential
            t.datetime :changed_at
            t.references :section
          end
          create_table :dependencies do |t|
            t.references :package
            t.string :name, :version
          end
        end
      end

      def store(package)
        section = (@sections ||= {})[package.section] ||= Section.find_or_create_by!(name: package.section)
        record = Installed.create!(package.to_h.except(:section, :dependencies).merge(section: section))
        rows = package.dependencies.map { |name, version| {package_id: record.id, name: name, version: version} }
        Dependency.insert_all!(rows) unless rows.empty?
      end
    end
  end
end
