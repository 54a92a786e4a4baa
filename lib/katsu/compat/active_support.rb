# frozen_string_literal: true

require "katsu"
require "active_support"
require "active_support/json"
require_relative "errors"

module Katsu
  module Compat
    # An ActiveSupport.json_encoder: what to_json, ActiveSupport::JSON.encode and render json: use in Rails, for
    # ActiveSupport 7.1 to 8.1, with the same output as its own encoder. With json 3, which refuses an option that 7.1
    # and 8.0 give it, encoding and ActiveSupport::JSON.decode work too.
    #
    #   require "katsu/compat/active_support"
    class Encoder
      HTML = {"<" => "\\u003c", ">" => "\\u003e", "&" => "\\u0026"}.freeze
      SEPARATORS = {"\u2028" => "\\u2028", "\u2029" => "\\u2029"}.freeze
      BOTH = HTML.merge(SEPARATORS).freeze
      PATTERNS = {
        HTML => /[<>&]/, SEPARATORS => /[\u2028\u2029]/, BOTH => /[<>&\u2028\u2029]/
      }.compare_by_identity.freeze
      # ActiveSupport 8.1 can be told not to escape, 8.0 not to escape HTML; 7.1 and 8.0 have no limit of depth.
      ESCAPE_OPTION = ::ActiveSupport.version >= Gem::Version.new("8.1")
      HTML_OPTION = ::ActiveSupport.version >= Gem::Version.new("8.0")
      MAX_NESTING = %w[7.1 8.0].include?(::ActiveSupport.version.segments.first(2).join(".")) ? 0 : 100
      private_constant :HTML, :SEPARATORS, :BOTH, :PATTERNS, :ESCAPE_OPTION, :HTML_OPTION, :MAX_NESTING

      # From ActiveSupport 8.1 on a coder calls as_json of objects; before, a tree of values that JSON has forms for is
      # made first.
      BY_CODER = ESCAPE_OPTION && Gem::Version.new(::JSON::VERSION) >= Gem::Version.new("2.15.2")
      OPTIONS = {max_nesting: MAX_NESTING, allow_duplicate_key: ::JSON::VERSION.to_i < 3}.freeze
      # json 2.15 converts keys in other encodings than UTF-8, later ones do not.
      CONVERTS_KEYS = BY_CODER && ::JSON::VERSION.start_with?("2.15.")
      OWN_ENCODINGS = [::Encoding::UTF_8, ::Encoding::BINARY].freeze
      private_constant :BY_CODER, :OPTIONS, :CONVERTS_KEYS, :OWN_ENCODINGS

      # The classes whose objects are written without calling as_json.
      NATIVE = [Hash, Array, Float, String, Symbol, Integer, NilClass, TrueClass, FalseClass, Fragment,
                (::JSON::Fragment if defined?(::JSON::Fragment))].compact.freeze
      MAX_AS_JSON_CALLS = 6
      private_constant :NATIVE, :MAX_AS_JSON_CALLS

      # An object's replacement: its as_json, called again until JSON has a form for the result.
      def self.replacement(value, is_key)
        return value.to_s if is_key
        if CONVERTS_KEYS && value.instance_of?(String) && !OWN_ENCODINGS.include?(value.encoding)
          return value.encode(::Encoding::UTF_8)
        end

        MAX_AS_JSON_CALLS.times do
          json = value.as_json
          return Fragment.new(Katsu.generate(json)) if json.equal?(value)
          return json if NATIVE.include?(json.class)

          value = json
        end
        raise SystemStackError, "as_json of #{value.class} gives another object each time"
      end

      CODER = Coder.new(**OPTIONS) { |value, is_key| replacement(value, is_key) }
      private_constant :CODER

      def initialize(options = nil)
        @options = options ? options.dup : {}
        @escape = ESCAPE_OPTION ? @options.fetch(:escape, true) : true
        @options.delete(:escape) if BY_CODER
        @options.freeze
      end

      attr_reader :options

      # value's JSON, escaped as the settings of ActiveSupport::JSON::Encoding say.
      def encode(value)
        value = value.as_json(HTML_OPTION ? @options : @options.dup) unless @options.empty?
        json = Errors.translated { BY_CODER ? CODER.dump(value) : Katsu.generate(tree(value), OPTIONS) }
        @escape ? escape(json) : json
      end

      private

      # Calls as_json only of values that JSON has no form for; of equal keys the last is kept.
      def tree(value)
        case value
        when String, Integer, Symbol, nil, true, false then value
        when Numeric then value.as_json
        when Hash
          value.each_with_object({}) do |(key, element), pairs|
            key = key.to_s unless key.is_a?(Symbol) || key.is_a?(String)
            pairs[key] = tree(element)
          end
        when Array then value.map { |element| tree(element) }
        else ESCAPE_OPTION && NATIVE.include?(value.class) ? value : tree(value.as_json)
        end
      end

      def escape(json)
        characters = escaped_characters
        json.gsub!(PATTERNS.fetch(characters), characters) if characters
        json
      end

      def escaped_characters
        encoding = ::ActiveSupport::JSON::Encoding
        html = encoding.escape_html_entities_in_json
        html = @options.fetch(:escape_html_entities, html) if HTML_OPTION
        separators = !encoding.respond_to?(:escape_js_separators_in_json) || encoding.escape_js_separators_in_json
        return separators ? BOTH : HTML if html

        SEPARATORS if separators
      end
    end

    # ActiveSupport::JSON.decode without the option that json 3 refuses.
    module Decoder
      def decode(json)
        data = ::JSON.parse(json)
        ::ActiveSupport.parse_json_times ? convert_dates_from(data) : data
      end
      alias load decode

      def self.needed?
        ::ActiveSupport::JSON.decode("1") && false
      rescue ArgumentError
        true
      end
    end
    private_constant :Decoder

    ::ActiveSupport.json_encoder = Encoder
    ::ActiveSupport::JSON.singleton_class.prepend(Decoder) if Decoder.needed?
  end
end
