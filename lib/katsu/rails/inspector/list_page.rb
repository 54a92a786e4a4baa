# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # The list of serializers.
      class ListPage < Page
        COLUMNS = [["Serializer"], ["Model"], ["Way"], ["Fields", "number"], ["Views"], ["File"]].freeze
        WAYS = {rows: "good", records: "slow", objects: nil}.freeze
        private_constant :COLUMNS, :WAYS

        # unknown: a name that was asked for and is not there.
        def initialize(root, unknown: nil)
          super(root)
          @unknown = unknown
        end

        private

        def title = "Katsu: serializers"

        def body
          tag(:h1, "Serializers")
          tag(:p, "There is no serializer, or no such view of one: #{@unknown}", class: "note bad") if @unknown
          serializers = Subject.serializers
          serializers.empty? ? none : table(COLUMNS) { serializers.each { |serializer| row(Subject.new(serializer)) } }
          tag(:h2, "This process")
          tag(:pre, Katsu.report.to_s)
        end

        def none
          tag(:p, "There are none yet. rails generate katsu:serializer Post writes one.", class: "note slow")
        end

        def row(subject)
          tag(:tr) do
            tag(:td) { tag(:a, subject.serializer.name, href: path(subject), class: "path") }
            tag(:td, subject.model&.name, "data-label": "Model")
            tag(:td, "data-label": "Way") { way(subject) }
            tag(:td, subject.names.size, class: "number", "data-label": "Fields")
            tag(:td, subject.views.join(", "), "data-label": "Views")
            tag(:td, subject.place, class: "path soft")
          end
        end

        def way(subject)
          way = subject.many.explain.to_h[:way]
          tag(:span, way.name, class: "tag #{WAYS[way]}")
        rescue StandardError => e
          tag(:span, error_text(e), class: "tag bad")
        end
      end
    end
  end
end
