# frozen_string_literal: true

module Katsu
  module Portable
    # The ruby backend's methods of Katsu::Generator::Options.
    module Options
      attr_reader :indent, :space, :space_before, :object_nl, :array_nl, :as_json, :sort_keys, :source,
                  :max_nesting, :depth, :allow_nan, :strict, :allow_duplicate_key, :rfc8785, :script_safe,
                  :ascii_only, :rails

      STRINGS = %i[indent space space_before object_nl array_nl].freeze
      FLAGS = %i[allow_nan strict allow_duplicate_key rfc8785 script_safe ascii_only].freeze
      private_constant :STRINGS, :FLAGS

      # source: a Hash, or what converts to one. rails: true writes values as serializers do, see Portable::Generator.
      def initialize(source = nil, rails: false)
        # Read through [], so without the default that the Hash may have.
        @source = source.nil? ? {} : {}.merge!(to_hash(source)).freeze
        unknown = @source.keys - ::Katsu::Generator::OPTIONS - [:escape_slash]
        ::Katsu::Generator.refuse_options(unknown) unless unknown.empty?
        @rails = rails
        STRINGS.each { |name| instance_variable_set(:"@#{name}", string(@source[name])) }
        FLAGS.each { |name| instance_variable_set(:"@#{name}", @source[name] ? true : false) }
        @script_safe = last_given(:script_safe, :escape_slash)
        @max_nesting = @source.key?(:max_nesting) ? integer(@source[:max_nesting]) : 100
        @depth = checked_depth
        @as_json = proc_from(@source[:as_json])
        @sort_keys = checked_sort_keys
        check_buffer_length
        check_canonical if @rfc8785
        freeze
      end

      # value's JSON as a String, or written to io in chunks, which is returned.
      def generate(value, io = nil)
        Generator.new(self, io).document(value)
      end

      # The same, without asking the outermost value's own to_json.
      def generate_core(value, io = nil)
        Generator.new(self, io).document(value, core: true)
      end

      # True if one of the five layout strings is set.
      def pretty?
        !(@indent || @space || @space_before || @object_nl || @array_nl).nil?
      end

      # True if documents have to be written anew for these options, see State#changes_text?.
      def changes_text?
        pretty? || @script_safe || @ascii_only || @rfc8785 || @sort_keys || @max_nesting.between?(1, 99)
      end

      private

      def to_hash(source)
        return source if source.is_a?(Hash)

        hash = source.respond_to?(:to_hash) ? source.to_hash : (source.to_h if source.respond_to?(:to_h))
        raise TypeError, "can't convert #{source.class} into Hash" unless hash.is_a?(Hash)

        hash
      end

      def string(value)
        return unless value
        ArgumentChecks.type(value, String)
        value.empty? ? nil : value.dup.force_encoding(Encoding::UTF_8).freeze # its bytes, whatever they are
      end

      # Of two names of one flag the last in the Hash counts.
      def last_given(*names)
        name = @source.keys.reverse.find { |given| names.include?(given) }
        name && @source[name] ? true : false
      end

      def integer(value)
        return 0 unless value
        unless value.respond_to?(:to_int)
          raise TypeError, "no implicit conversion of #{ArgumentChecks.kind(value)} into Integer"
        end

        number = value.to_int
        raise RangeError, "bignum too big to convert into 'long'" if number.bit_length > 63 # what C cannot hold

        number
      end

      def checked_depth
        depth = integer(@source[:depth])
        raise ArgumentError, "depth must be >= 0 (got #{depth})" if depth.negative?
        raise ArgumentError, "depth is too large (got #{depth})" if depth > 2**31 - 1

        depth
      end

      def proc_from(value)
        return unless value

        proc = value.respond_to?(:to_proc) ? value.to_proc : nil
        raise TypeError, "as_json must be a Proc" unless proc.is_a?(Proc)

        proc
      end

      def checked_sort_keys
        value = @source[:sort_keys]
        return value if !value || value == true || value.is_a?(Proc)

        raise TypeError, "The `sort_keys` argument must be a boolean or a Proc"
      end

      def check_buffer_length
        return unless @source.key?(:buffer_initial_length)

        ArgumentChecks.type(@source[:buffer_initial_length], Integer)
      end

      def check_canonical
        clash = (STRINGS + %i[ascii_only script_safe allow_nan]).find { |name| instance_variable_get(:"@#{name}") }
        raise ArgumentError, "#{clash} cannot be used with rfc8785" if clash
      end
    end
  end
end
