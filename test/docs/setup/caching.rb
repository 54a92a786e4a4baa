# frozen_string_literal: true

require "active_support/cache"

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:reports) do |t|
    t.string :title
    t.text :body
    t.timestamps
  end

  create_table(:notes) do |t|
    t.references :report
    t.string :text
    t.timestamps
  end
end

class Report < ActiveRecord::Base
  has_many :notes
end

class Note < ActiveRecord::Base
  belongs_to :report
end

Calls = Struct.new(:count).new(0)
report = Report.create!(title: "Hello", body: "a b c")
Report.create!(title: "Ruby", body: "d e")
Note.create!(report: report, text: "old")
Katsu.configure { |config| config.cache_store = ActiveSupport::Cache::MemoryStore.new }
