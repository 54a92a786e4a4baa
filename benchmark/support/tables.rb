# frozen_string_literal: true

# The ruby backend is measured against json in Ruby; on JRuby against JRuby's own, which is Java.
require_relative "pure_json" if ENV["KATSU_BACKEND"] == "ruby" && RUBY_ENGINE != "jruby"
require "katsu"
require_relative "harness"

# The tables. Each file of benchmark/ is one: it registers its rows with Benchmarks.table.
module Benchmarks
  TABLES = {}
  ON_REQUEST = []

  # The block returns Harness::Rows; it is called when the table is run. on_request: only if its name is given.
  def self.table(name, on_request: false, &rows)
    TABLES[name] = rows
    ON_REQUEST << name if on_request
  end

  # Sizes to measure: SIZE=50,2300 from the environment, or the table's own.
  def self.sizes(*default)
    ENV["SIZE"] ? ENV["SIZE"].split(",").map { |size| Integer(size) } : default
  end
end

main = File.expand_path("../run.rb", __dir__)
Dir[File.expand_path("../*.rb", __dir__)].sort.each { |file| require file unless file == main }
