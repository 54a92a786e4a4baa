# frozen_string_literal: true

module Katsu
  # A place in a document: keys joined by dots, indexes in brackets, as in posts[3].author.name.
  module Path
    PLAIN_KEY = /\A[[:alpha:]_][[:alnum:]_?!-]*\z/u
    private_constant :PLAIN_KEY

    # Any object's to_s as UTF-8, or its class if it has none or it raises: an error is not to be replaced by another.
    def self.text_of(segment)
      text = "#{segment}"
      text.encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    rescue Encoding::ConverterNotFoundError
      text ? text.force_encoding(Encoding::UTF_8).scrub : unnamed(segment)
    rescue StandardError
      unnamed(segment)
    end

    def self.unnamed(segment) = "#<#{::Kernel.instance_method(:class).bind_call(segment)}>"
    private_class_method :unnamed

    # segments: Array of keys (String, Symbol, any) and indexes (Integer), outermost first.
    def self.join(segments)
      segments.each_with_object(+"") do |segment, text|
        key = Integer === segment ? nil : text_of(segment)
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
