# frozen_string_literal: true

module Katsu
  module Migrate
    # A Ruby text, its syntax tree, and what is to be changed in it.
    class Source
      attr_reader :tree

      # Raises SyntaxError, also if the text is not in UTF-8, as the new file will be.
      def initialize(text, path)
        @text = text
        parsed = ::Prism.parse(text)
        error = parsed.errors.first
        raise SyntaxError, "#{path}:#{error.location.start_line}: #{error.message}" if error
        raise SyntaxError, "it is not in UTF-8; convert it first" unless utf8?(parsed.encoding)

        @tree = parsed.value
        @comments = parsed.comments.grep(::Prism::InlineComment)
        @edits = []
      end

      # The text between two offsets, changed by the edits that lie within.
      def slice(from, to)
        within = @edits.select { |edit| edit[0] >= from && edit[1] <= to }.sort_by { |edit| edit[0] }
        result = +""
        within.each do |start, finish, replacement|
          next if start < from # it lies in one that was applied

          result << bytes(from, start) << replacement
          from = finish
        end
        result << bytes(from, to)
      end

      # The text of a node, or of a location.
      def text(node)
        location = node.respond_to?(:location) ? node.location : node
        slice(location.start_offset, location.end_offset)
      end

      def replace(node, replacement)
        location = node.respond_to?(:location) ? node.location : node
        edit(location.start_offset, location.end_offset, replacement)
      end

      def edit(from, to, replacement)
        @edits.reject! { |edit| edit[0] >= from && edit[1] <= to && to > from }
        # A class within a class is walked twice.
        @edits << [from, to, replacement] unless to == from && @edits.include?([from, to, replacement])
      end

      # Removes the lines of a node, and the empty ones after them; if something else stands in them, only the node.
      def remove_lines(node)
        location = node.location
        before, _, line = @text.byteslice(0, location.start_offset).rpartition("\n")
        rest = @text.byteslice(location.end_offset..)
        alone = line.strip.empty? && rest.match?(/\A[ \t]*(?:\n|\z)/)
        behind = alone ? /\A[ \t]*(?:\n[ \t]*(?=\n))*/ : /\A[ \t]*;?[ \t]*/
        edit(alone ? before.bytesize : location.start_offset, location.end_offset + rest[behind].bytesize, "")
      end

      # Puts what follows a node that became a comment on a line of its own.
      def break_line_after(node, indent)
        finish = node.location.end_offset
        rest = @text.byteslice(finish..)[/\A[^\n]*/]
        return if rest.match?(/\A[ \t]*(?:#|\z)/)

        edit(finish, finish + rest[/\A[ \t]*;?[ \t]*/].bytesize, "\n#{indent}")
      end

      # Makes comments of heredocs that begin in a node and stand below it: of all, or of some.
      def comment_heredocs(node, indent, some = heredocs(node))
        some.each do |opening, closing|
          from = opening.end_offset + @text.byteslice(opening.end_offset..).index("\n").to_i + 1
          next if from < node.location.end_offset

          lines = bytes(from, closing.end_offset).lines.map { |line| "#{indent}# #{line.delete_prefix(indent)}".rstrip }
          edit(from, closing.end_offset, lines.join("\n") << "\n")
        end
      end

      # Where each heredoc that begins in a node, or in nil, opens and closes.
      def heredocs(node)
        return [] if node.nil?

        opening = node.opening_loc if node.respond_to?(:opening_loc)
        found = opening&.slice.to_s.start_with?("<<") ? [[opening, node.closing_loc]] : []
        found + node.compact_child_nodes.flat_map { |child| heredocs(child) }
      end

      # The comments within a node, each to the end of its line.
      def comments(node)
        range = node.location.start_offset...node.location.end_offset
        @comments.select { |comment| range.cover?(comment.location.start_offset) }.map(&:slice)
      end

      # The white space in front of a node.
      def indent(node)
        start = node.location.start_offset
        line = @text.byteslice(0, start).rpartition("\n").last
        line[/\A\s*/]
      end

      def to_s
        slice(0, @text.bytesize)
      end

      private

      def utf8?(encoding)
        @text.ascii_only? || (encoding == Encoding::UTF_8 && @text.valid_encoding?)
      end

      def bytes(from, to)
        @text.byteslice(from, to - from)
      end
    end
  end
end
