# frozen_string_literal: true

module Katsu
  # A place in a document: keys joined by dots, indexes in brackets, as in posts[3].author.name.
  module Path
    PLAIN_KEY = /\A[[:alpha:]_][[:alnum:]_?!-]*\z/u
    private_constant :PLAIN_KEY

    # Any object's to_s, as UTF-8.
    def self.text_of(segment)
      "#{segment}".encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    # segments: Array of keys (String, Symbol, any) and indexes (Integer), outermost first.
    def self.join(segments)
      segments.each_with_object(+"") do |segment, text|
        key = segment.is_a?(Integer) ? nil : text_of(segment)
        if key.nil?
          text << "[#{segment}]"
        elsif PLAIN_KEY.match?(key)
          text << "." unless text.empty?
          text << key
        else
          text << "[#{key.inspect}]"
        end
      end
    end
  end
end
