# frozen_string_literal: true

module Katsu
  # The options that as_json and to_json of documents are given. Those of Rails' rendering are a Hash: only: and except:
  # leave keys out of the outermost objects, as they do for a record; status:, prefixes: and the like do not concern
  # documents. Those of a generator are a State.
  module RenderOptions
    FILTERS = %i[only except].freeze
    private_constant :FILTERS

    class << self
      # True if options leave keys out. Raises ArgumentError if they name anything but keys.
      def filters?(options)
        return false unless options.is_a?(Hash)

        FILTERS.each { |option| check(option, options[option]) }
        !(options[:only] || options[:except]).nil?
      end

      # True if options ask for another text than the document's own.
      def change?(options)
        case options
        when nil then false
        when State then options.changes_text?
        when ::JSON::State then State.new(of_generator(options)).changes_text?
        else filters?(options)
        end
      end

      # The JSON of a document's as_json with these options. A value in it that JSON has no form for is written as
      # serializers write it. If the document contains itself, to_json raises the NestingError, which has the
      # path.
      def generate(document, options)
        begin
          data = document.as_json(options)
        rescue SystemStackError
          document.to_json
          raise
        end
        return Katsu.generate(data) unless ::JSON::State === options

        as_json = ->(value, is_key) { is_key ? value.to_s : AsJson.core(value) }
        Generator::Options.new(of_generator(options).merge(strict: true, as_json: as_json, allow_nan: false))
          .generate(data)
      end

      # data without the keys that options leave out. data: an as_json, a Hash or an Array of Hashes. keyed: true for a
      # Hash of them, whose own keys say which object each is. The block gives the serializers that wrote data, or their
      # forms: options have the names that these declare, and only: and except: both count. Without it only: counts
      # alone, as Rails has it. Raises as filters?.
      def filtered(data, options, keyed: false)
        return data unless filters?(options)

        given = {slice: options[:only], except: options[:except]}.compact
        fields = Serializer::FieldNames.new(yield) if block_given?
        (fields ? given : given.first(1)).reduce(data) do |left, (call, names)|
          names = Array(names).map(&:to_s)
          names = fields.written(names) if fields
          keyed ? left.transform_values { |object| kept(object, call, names) } : kept(left, call, names)
        end
      end

      private

      # call: the method of Hash that gives what is kept. An ObjectWriter may have keys that are Symbols.
      def kept(data, call, names)
        case data
        when Array then data.map { |element| kept(element, call, names) }
        when Hash then data.public_send(call, *data.each_key.select { |key| names.include?(key.to_s) })
        else data
        end
      end

      # Before json 3 a State has other options too.
      def of_generator(state)
        state.to_h.slice(*Generator::OPTIONS, :escape_slash)
      end

      def check(option, given)
        return if given.nil?
        return if (given.is_a?(Array) ? given : [given]).all? { |name| Symbol === name || String === name }

        raise ArgumentError, "#{option}: #{given.inspect[0, 100]}; accepted are names, such as #{option}: [:id]. " \
                             "Filters of associations are given where the document is made: " \
                             "PostSerializer.many(posts, #{option}: ...)"
      end
    end
  end
end
