# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # What both pages share.
      class Page
        # root: the path that the inspector is mounted at.
        def initialize(root)
          @root = root.to_s
          @markup = Markup.new
        end

        def html
          tag(:html, lang: "en") do
            tag(:head) { head }
            tag(:body) { body }
          end
          @markup.html
        end

        private

        def tag(...) = @markup.tag(...)

        def head
          @markup.void(:meta, charset: "utf-8")
          @markup.void(:meta, name: "viewport", content: "width=device-width, initial-scale=1")
          tag(:title, title)
          @markup.style(STYLESHEET)
        end

        # columns: [[heading, class], ...]. The block adds the rows.
        def table(columns, &rows)
          tag(:table) do
            tag(:thead) do
              tag(:tr) { columns.each { |heading, kind| tag(:th, heading, scope: "col", class: kind) } }
            end
            tag(:tbody, &rows)
          end
        end

        def path(subject, **query)
          query = {view: subject.view, **query}.compact
          text = query.empty? ? "" : "?#{::Rack::Utils.build_query(query)}"
          "#{@root}/#{::Rack::Utils.escape_path(subject.serializer.name)}#{text}"
        end

        # What the block returns; nil if it raises, which is shown.
        def guarded(what)
          yield
        rescue StandardError, SystemStackError => e
          tag(:p, "#{what}: #{error_text(e)}", class: "note bad")
          nil
        end

        def error_text(error)
          "#{error.class}: #{error.message.to_s.lines.first.to_s.chomp}"
        end
      end
    end
  end
end
