# frozen_string_literal: true

require_relative "field_times"
require_relative "sample"

module Katsu
  module Rails
    module Inspector
      # One serializer: its fields and the way that each takes, queries, the JSON of a record, the times of the fields.
      class SerializerPage < Page
        FIELDS = [["Field"], ["Way"], ["Why, and what would be faster"]].freeze
        TIMES = [["Field"], ["ms", "number"], ["Queries", "number"], ["Share of the slowest"]].freeze
        WAYS = {driver: "good", row: "good", method: "slow", reader: "slow"}.freeze
        SENTENCES = {rows: "Read from rows; no record is made.", records: "Records are made.",
                     objects: "Objects of no model."}.freeze
        NOTES = {rows: "note good", records: "note slow", objects: "soft"}.freeze
        private_constant :FIELDS, :TIMES, :WAYS, :SENTENCES, :NOTES

        # timed: measure the fields.
        def initialize(root, subject, timed:)
          super(root)
          @subject = subject
          @timed = timed
        end

        private

        def title = "#{@subject.serializer.name} - Katsu"

        def body
          tag(:nav) { tag(:a, "Serializers", href: "#{@root}/") }
          tag(:h1, @subject.serializer.name)
          tag(:p, [@subject.model&.name, @subject.place].compact.join(", "), class: "soft path")
          views
          guarded("explain") { explanation(@subject.many.explain.to_h) }
          return unless @subject.model

          sample
          times
        end

        def views
          return if @subject.views.empty?

          tag(:nav, class: "views", "aria-label": "Views") do
            [nil, *@subject.views].each do |view|
              other = Subject.new(@subject.serializer, view)
              tag(:a, view || "no view", href: path(other), "aria-current": ("page" if view == @subject.view))
            end
          end
        end

        def explanation(data)
          tag(:p, SENTENCES.fetch(data[:way]), class: NOTES[data[:way]])
          data[:reasons].each { |reason| tag(:p, "because #{sentence(reason)}", class: "note slow") }
          tag(:h2, "Fields")
          table(FIELDS) { data[:fields].each { |field| field_row(field) } }
          return if data[:queries].empty?

          tag(:h2, data[:more_queries] ? "Queries, at least" : "Queries")
          tag(:pre, data[:queries].map { |query| "#{query[:of]}: #{query[:sql]}" }.join("\n"))
        end

        def sentence(reason)
          place = "#{reason[:path]}: " unless reason[:path].to_s.empty?
          "#{place}#{details(reason)}"
        end

        def details(reason)
          [reason[:why], ("faster: #{reason[:faster]}" if reason[:faster])].compact.join("; ")
        end

        def field_row(field)
          tag(:tr) do
            tag(:td, field[:path], class: "path")
            tag(:td) { tag(:span, field[:way].name, class: "tag #{WAYS[field[:way]]}") }
            tag(:td, details(field), class: "soft")
          end
        end

        def sample
          tag(:h2, "The first record")
          found = guarded("the first record") { Sample.new(@subject) }
          return unless found

          found.failed.each { |name, error| tag(:p, "without #{name}: #{error_text(error)}", class: "note bad") }
          found.text ? tag(:pre, found.text) : tag(:p, "#{@subject.model.table_name} has no rows.", class: "soft")
        end

        def times
          tag(:h2, "The slowest fields")
          unless @timed
            tag(:p) { tag(:a, "Measure each field", href: path(@subject, times: 1)) }
            return
          end

          measured = FieldTimes.new(@subject)
          tag(:p, "Each written alone for the first #{FieldTimes::RECORDS} records, query included; " \
                  "the best of three. The whole document: #{whole_text(measured.whole)}.", class: "soft")
          list = measured.list
          slowest = list.filter_map(&:seconds).max
          table(TIMES) { list.each { |time| time_row(time, slowest) } }
        end

        def whole_text(time)
          return error_text(time.error) if time.error

          "#{milliseconds(time.seconds)} ms, #{time.queries} #{time.queries == 1 ? "query" : "queries"}"
        end

        def time_row(time, slowest)
          tag(:tr) do
            tag(:td, time.name, class: "path")
            next tag(:td, error_text(time.error), colspan: 3, class: "bad") if time.error

            tag(:td, milliseconds(time.seconds), class: "number", "data-label": "ms")
            tag(:td, time.queries, class: "number", "data-label": "Queries")
            tag(:td) { share(time.seconds / slowest) }
          end
        end

        def share(share)
          percent = (share * 100).round
          tag(:meter, "#{percent} %", min: 0, max: 100, value: percent, title: "#{percent} %")
        end

        def milliseconds(seconds) = format("%.2f", seconds * 1000)
      end
    end
  end
end
