# frozen_string_literal: true

require "cgi/escape"

module Katsu
  module Rails
    module Inspector
      # Writes HTML. Every text and every attribute's value is escaped; there is no way to add markup as it is.
      class Markup
        attr_reader :html

        def initialize
          @html = +"<!DOCTYPE html>\n"
        end

        # An element with a text, or with what the block adds. attributes: nil and false leave one out, true writes its
        # name alone.
        def tag(name, text = nil, **attributes)
          @html << "<#{name}#{attributes(attributes)}>"
          text(text) unless text.nil?
          yield if block_given?
          @html << "</#{name}>"
        end

        # An element without an end tag.
        def void(name, **attributes)
          @html << "<#{name}#{attributes(attributes)}>"
        end

        def text(text)
          @html << escape(text)
        end

        # A stylesheet, which ends at "</" and has no escapes.
        def style(rules)
          raise ArgumentError, "a stylesheet cannot have </ in it" if rules.include?("</")

          @html << "<style>#{rules}</style>"
        end

        private

        def attributes(attributes)
          attributes.filter_map do |name, value|
            next unless value

            value == true ? " #{name}" : " #{name}=\"#{escape(value)}\""
          end.join
        end

        # Browsers take bytes that are no UTF-8 for many things.
        def escape(text)
          CGI.escapeHTML(text.to_s.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub)
        end
      end
    end
  end
end
