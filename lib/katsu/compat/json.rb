# frozen_string_literal: true

require "katsu"
require_relative "errors"

module Katsu
  module Compat
    # Routes the json gem's generator through Katsu: JSON.generate, JSON.pretty_generate, JSON.dump,
    # JSON::Coder#dump and the to_json of core classes, for json 2.9 to 3.1. Parsing is untouched. Errors stay
    # JSON::GeneratorError and JSON::NestingError. With ActiveSupport loaded its own to_json goes on to answer
    # direct calls.
    #
    #   require "katsu/compat/json"
    module Json
      STRICT_OPTIONS = ::JSON::VERSION.to_i >= 3
      # Before json 3 a String and a Symbol key may be written the same, unless an option forbids it.
      DEFAULTS = STRICT_OPTIONS ? {}.freeze : {allow_duplicate_key: true}.freeze
      private_constant :DEFAULTS

      # The options of a State of the json gem, a Hash, or nil; nil if there are none. Before json 3 unknown options
      # were accepted.
      def self.options(given)
        return STRICT_OPTIONS ? nil : DEFAULTS unless given
        unless given.respond_to?(:to_hash) || given.respond_to?(:to_h)
          raise TypeError, "can't convert #{given.class} into Hash"
        end

        hash = given.respond_to?(:to_hash) ? given.to_hash : given.to_h
        STRICT_OPTIONS ? hash : DEFAULTS.merge(hash.slice(*Generator::OPTIONS, :escape_slash))
      end

      def self.generate(value, options)
        options = options(options)
        Errors.translated { options ? Katsu.generate(value, options) : Katsu.generate(value) }
      end

      # The default options of JSON.dump: before json 3 they could be set.
      def self.dump_defaults
        ::JSON.respond_to?(:dump_default_options) ? ::JSON.dump_default_options : {}
      end

      # JSON.generate and its kin.
      module Functions
        def generate(obj, opts = nil)
          Json.generate(obj, opts)
        end

        def pretty_generate(obj, opts = nil)
          return Json.generate(obj, opts) if opts.is_a?(::JSON::State)

          pretty = {indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"}
          Json.generate(obj, pretty.merge(Json.options(opts) || {}))
        end

        def dump(obj, an_io = nil, limit = nil, kwargs = nil)
          kwargs, an_io = an_io, nil if kwargs.nil? && limit.nil? && an_io.is_a?(Hash)
          kwargs, limit = limit, nil if kwargs.nil? && limit.is_a?(Hash)
          io = an_io.respond_to?(:to_io) || an_io.respond_to?(:write)
          an_io, limit = nil, an_io if !an_io.nil? && limit.nil? && !io
          defaults = limit ? Json.dump_defaults.merge(max_nesting: limit) : Json.dump_defaults
          options = Json.options(defaults.merge(kwargs || {}))
          Errors.translated { Katsu.dump(obj, an_io, **options) }
        rescue ::JSON::NestingError
          raise if STRICT_OPTIONS

          raise ArgumentError, "exceed depth limit", cause: nil # as json 2 has it
        end
      end

      # JSON::Coder#dump.
      module CoderDump
        def dump(object, io = nil)
          given = @katsu_options ? nil : @state.to_h.merge(as_json: @state.as_json || nil)
          options = @katsu_options || Generator::Options.new(Json.options(given))
          @katsu_options = options unless frozen?
          Errors.translated { options.generate(object, io) }
        end

        def generate(object, io = nil)
          dump(object, io)
        end
      end

      # to_json of core classes, in place of the json gem's own.
      module CoreMethod
        CORE = [String, Hash, Array, Integer, Float, NilClass, TrueClass, FalseClass].freeze

        def self.to_json(object, state)
          object = "#{object}" if CORE.none? { |core| core === object } # if to_s returns no String, Ruby's own text
          options = state.is_a?(::JSON::State) || state.is_a?(Hash) ? state.to_h : {}
          Errors.translated { Generator::Options.new(Json.options(options)).generate_core(object) }
        end

        # The modules of the json gem that define to_json for core classes.
        def self.owners
          [Object, *CORE].flat_map { |core| definitions(core.instance_method(:to_json)) }.uniq
        end

        def self.definitions(method)
          found = []
          while method
            found << method.owner if method.owner.name.to_s.start_with?("JSON")
            method = method.super_method
          end
          found
        end
      end

      # A to_json method that generates with the State it was given may rescue what json raises.
      module StateGenerate
        def generate(...)
          Errors.translated { super }
        end
      end

      def self.install
        State.prepend(StateGenerate)
        ::JSON.singleton_class.prepend(Functions)
        ::JSON::Coder.prepend(CoderDump) if defined?(::JSON::Coder)
        CoreMethod.owners.each do |owner|
          owner.send(:remove_method, :to_json)
          # Defined from text: other Ractors cannot call a method defined by a block.
          owner.class_eval(<<~RUBY, __FILE__, __LINE__ + 1)
            def to_json(state = nil, *) = ::Katsu::Compat::Json::CoreMethod.to_json(self, state)
          RUBY
        end
      end
      private_class_method :install

      install
    end
  end
end
