# frozen_string_literal: true

# bin/bench --report: makes the tables in README.md, docs/benchmarks.md and docs/performance.md, the charts in
# docs/benchmarks/ and one page with all of it from the files of benchmark/results. Nothing is measured.
require_relative "pages/variants"
require_relative "pages/chart"
require_relative "pages/charts"
require_relative "pages/tables"
require_relative "pages/page"

module Benchmarks
  module Pages
    ROOT = File.expand_path("../..", __dir__)
    DOCUMENTS = %w[README.md docs/benchmarks.md docs/performance.md].freeze
    # A table stands between two comments that name it.
    PLACE = /(<!-- figures: (\w+) -->\n\n).*?(\n<!-- end of figures -->)/m

    # {path => content} of every file that is made.
    def self.files(variants = self.variants)
      tables = Tables.new(variants).all
      charts = Charts.new(variants).all.transform_keys { |name| "docs/benchmarks/#{name}.svg" }
      documents = DOCUMENTS.to_h { |path| [path, fill(File.read(File.join(ROOT, path)), tables)] }
      charts.merge(documents, "docs/benchmarks/index.html" => Page.new(variants, charts.values, tables).to_s)
    end

    def self.fill(text, tables) = text.gsub(PLACE) { "#{$1}#{tables.fetch($2)}#{$3}" }

    def self.write
      files.each do |path, content|
        target = File.join(ROOT, path)
        next if File.exist?(target) && File.read(target) == content

        FileUtils.mkdir_p(File.dirname(target))
        File.write(target, content)
        puts path
      end
    end
  end
end

if $PROGRAM_NAME == __FILE__
  require "fileutils"
  abort "usage: bin/bench --report" unless ARGV.empty?
  Benchmarks::Pages.write
end
