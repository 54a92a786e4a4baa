# frozen_string_literal: true

require_relative "blog"

# Reports, whose JSON takes about 14 us a record, and stores for it.
module Benchmarks
  module Reports
    COUNT = 1000

    # A store that keeps nothing.
    class Nothing
      def read_multi(*_keys) = {}
      def write_multi(texts, **_options) = texts
    end

    # A store that finds all that it was given.
    class Everything
      def initialize = @texts = {}
      def read_multi(*keys) = @texts.slice(*keys)
      def write_multi(texts, **_options) = @texts.update(texts)
    end

    class Report < ActiveRecord::Base
      self.table_name = "reports"
    end

    class Uncached < Katsu::Serializer
      attributes :id, :title, :body, :created_at, :words

      # About 13 us.
      def words = object.body.split.tally.sort_by { |word, times| [-times, word] }.first(3)
    end

    class Cold < Uncached
      cache store: Nothing.new
    end

    class Warm < Uncached
      cache store: Everything.new
    end

    # Records of which nothing was read.
    def self.loaded
      prepare
      Report.order(:id).to_a
    end

    def self.prepare
      return if @prepared

      @prepared = true
      Blog.prepare(1)
      ActiveRecord::Schema.define do
        create_table(:reports) do |t|
          t.string :title
          t.text :body
          t.timestamps
        end
      end
      Report.insert_all!(Array.new(COUNT) do |index|
        {id: index + 1, title: "report #{index}",
         body: "some words of a report, #{index} of them, and more of them, and then " * 4}
      end)
    end
    private_class_method :prepare
  end
end
