# frozen_string_literal: true

require_relative "explanation/fields"
require_relative "explanation/records"
require_relative "explanation/statements"

module Katsu
  module Query
    # How a document is read and written: a table by to_s, data by to_h.
    #
    #   puts PostSerializer.many(Post.all).explain
    class Explanation
      WAYS = {
        rows: "from rows, no record is made",
        records: "from records",
        objects: "from the objects that are given"
      }.freeze
      WIDE = "all columns are selected, as the order is SQL text that may mean any of them; faster: an order by Symbols"
      private_constant :WAYS, :WIDE

      # contents: what the document is made of, a Query::Relation and its like.
      def initialize(serializer, contents)
        @serializer = serializer
        @contents = contents
        @records = Records.new(contents)
        statements = Statements.new(contents)
        @wide = statements.wide
        @data = {
          serializer: serializer.to_s, source: contents.description.to_s, way: contents.way, rows: contents.known_size,
          reasons: reasons, queries: statements.list, more_queries: statements.more?, preloads: serializer_preloads,
          fields: Fields.new(contents).list
        }.freeze
      end

      # {serializer:, source:, way: :rows, :records or :objects, rows: how many there are if that is known, or nil,
      # reasons: [{path:, why:, faster:}, ...] for which records are made, of the source or of an association,
      # queries: [{of:, sql:}, ...], more_queries: whether there may be more, as the rows decide how many there are,
      # preloads: what is loaded besides, as includes takes it; nil if that is too much,
      # fields: [{path:, way:, why:, faster:}, ...]}
      #
      # The way of a field is :driver (the result of the database driver is read, no Ruby object is made), :row (the
      # values that the driver gave), :model (a record's attributes), :reader (a public method of the object), :key (of
      # a Hash), :method (a method, block or condition of the serializer), :association.
      def to_h = @data

      def to_s
        lines = ["#{@data[:serializer]} of #{@data[:source]}: #{way}"]
        lines.concat(@data[:reasons].map { |reason| "  #{words(reason)}" })
        lines.concat(@wide.map { |path| "  #{path}: #{WIDE}" })
        lines << "queries: #{"at least " if @data[:more_queries]}#{@data[:queries].size}"
        lines << aligned(@data[:queries].map { |query| [query[:of], query[:sql]] })
        lines << "fields:" << aligned(@data[:fields].map { |field| [field[:path], field[:way].to_s, details(field)] })
        lines.flatten.join("\n")
      end

      def inspect
        "#<#{self.class} #{@data[:serializer]} of #{@data[:source]}: #{@data[:way]}>"
      end

      private

      def way
        @records.paths.empty? ? WAYS[@data[:way]] : "from rows, records are made of #{@records.paths.uniq.join(", ")}"
      end

      def reasons
        (@contents.obstacles + @records.list).map { |path, why, faster| {path: path, why: why, faster: faster&.to_s} }
      end

      def serializer_preloads
        @contents.model ? Names.of_plan(@contents.reading.plan, @contents.model).preloads : []
      rescue Error
        nil
      end

      def words(reason)
        place = reason[:path].to_s.empty? ? "" : "#{reason[:path]}: "
        "because #{place}#{details(reason)}"
      end

      def details(reason)
        return "" unless reason[:why]

        reason[:faster] ? "#{reason[:why]}; faster: #{reason[:faster]}" : reason[:why]
      end

      # Columns of text, one line each.
      def aligned(rows)
        widths = rows.transpose.map { |column| column.map(&:size).max }
        rows.map { |row| "  #{row.each_with_index.map { |text, index| text.ljust(widths[index]) }.join("  ")}".rstrip }
      end
    end
  end
end
