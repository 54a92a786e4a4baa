# frozen_string_literal: true

module Katsu
  # The object that a to_json method receives: the options and the depth of the document being written.
  #
  # It is a JSON::State, so that to_json methods written for the json gem, and ActiveSupport's, which check for that
  # class, accept it; what they generate with it has the same options and depth.
  class State < ::JSON::State
    DEFAULTS = {
      indent: "", space: "", space_before: "", object_nl: "", array_nl: "", as_json: false, allow_nan: false,
      ascii_only: false, max_nesting: 100, script_safe: false, strict: false, buffer_initial_length: 1024,
      sort_keys: false, rfc8785: false, allow_duplicate_key: false
    }.freeze
    LAYOUT = %i[indent space space_before object_nl array_nl].freeze
    FLAGS = %i[allow_nan ascii_only script_safe strict rfc8785 allow_duplicate_key].freeze
    CHANGING = %i[script_safe ascii_only rfc8785 sort_keys].freeze
    private_constant :DEFAULTS, :LAYOUT, :FLAGS, :CHANGING

    # The options that the installed json gem's State keeps too: the gem's own methods read them there.
    SHARED = Generator::OPTIONS.select do |name|
      ::JSON::State.method_defined?(:"#{name}=") || (::JSON::VERSION.to_i >= 3 && ::JSON::State.new(name => nil))
    rescue ArgumentError, TypeError
      false
    end.freeze
    private_constant :SHARED

    # value's JSON with these options, a Hash, as a String or written to io.
    def self.generate(value, options = nil, io = nil)
      Generator::Options.new(options || {}).generate(value, io)
    end

    # options itself if it is a Katsu::State, else one with the options of a Hash or of a State of the json gem.
    def self.from_state(options)
      case options
      when self then options
      when ::JSON::State then new(options.to_h.slice(*Generator::OPTIONS, :escape_slash)) # json 2 has more
      when ::Hash then new(options)
      else new
      end
    end

    # options: a Hash, or what converts to one. Raises ArgumentError for unknown names and TypeError for wrong values.
    def initialize(options = nil)
      super()
      @given = {}
      configure(options) if options
    end

    def initialize_copy(other)
      super
      @given = @given.dup
      @options = nil
    end

    # Adds options, a Hash or what converts to one, and returns self. Raises ArgumentError, TypeError and FrozenError.
    def configure(options)
      @options = nil # raises if the State is frozen
      options = Generator.hash_of(options)
      return self if options.empty?

      Generator::Options.new(options)
      # json 2's name of it; of both the last counts.
      options = options.to_h { |name, value| [name == :escape_slash ? :script_safe : name, value] }
      give(options)
      shared = options.slice(*SHARED)
      super(shared) unless shared.empty?
      self
    end
    alias merge configure

    # value's JSON with these options, from the current depth on, as a String; or written to io, which is returned.
    # Raises GeneratorError and NestingError.
    def generate(value, io = nil)
      current_options.generate(value, io)
    end

    # All options and the depth as a Hash.
    def to_h
      DEFAULTS.merge(@given).merge(depth: depth)
    end
    alias to_hash to_h

    # The option of that name, a Symbol or String; nil for an unknown one.
    def [](name)
      to_h[name.to_sym]
    end

    # Defined from text: other Ractors cannot call a method defined by a block.
    (Generator::OPTIONS - %i[depth sort_keys]).each do |name|
      class_eval <<~RUBY, __FILE__, __LINE__ + 1
        # Returns the option #{name}.
        def #{name} = @given.fetch(:#{name}, DEFAULTS[:#{name}])
      RUBY
    end

    (Generator::OPTIONS - [:depth]).each do |name|
      class_eval <<~RUBY, __FILE__, __LINE__ + 1
        # Sets the option #{name} to value. Raises ArgumentError or TypeError for a value that is none of it. Whether
        # it can be used with the others is found out by generate.
        def #{name}=(value)
          #{::JSON::State.method_defined?(:"#{name}=") ? "set(:#{name}, value) { super }" : "configure(#{name}: value)"}
        end
      RUBY
    end

    # Returns the Proc that sorts, or false; true before json 3.1, which has the Proc.
    def sort_keys = @given[:sort_keys] == true && SHARED.include?(:sort_keys) ? super : @given.fetch(:sort_keys, false)

    FLAGS.each do |name|
      class_eval <<~RUBY, __FILE__, __LINE__ + 1
        # Returns true if the option #{name} is set.
        def #{name}? = @given[:#{name}] ? true : false
      RUBY
    end

    # Returns true if the options change the text of a document that is written without them: its layout, its escapes,
    # the order of its keys, or how deep it may be nested.
    def changes_text?
      return false if @given.empty?

      CHANGING.any? { |name| @given[name] } || LAYOUT.any? { |name| @given.fetch(name, "") != "" } ||
        max_nesting.between?(1, DEFAULTS[:max_nesting] - 1)
    end

    # True unless max_nesting is 0.
    def check_circular?
      max_nesting != 0
    end

    private

    # Sets one option here and, by the block, in the json gem's part.
    def set(name, value)
      options = {name => value}
      Generator::Options.new(options)
      yield
      give(options)
    end

    def give(options)
      @given = @given.merge(options.to_h { |name, value| [name, read(name, value)] })
      @options = nil
    end

    # An option's value as its reader returns it.
    def read(name, value)
      case name
      when *LAYOUT then value ? value.dup.freeze : ""
      when *FLAGS then value ? true : false
      when :max_nesting, :depth then value ? value.to_int : 0
      when :buffer_initial_length then value.positive? ? value : buffer_initial_length
      when :sort_keys then value || false
      when :as_json then value ? value.to_proc : false
      else value
      end
    end

    def current_options
      return Generator::Options.new(@given.merge(depth: depth)) if depth.positive?
      return @options || Generator::Options.new(@given.except(:depth)) if frozen?

      @options ||= Generator::Options.new(@given.except(:depth))
    end
  end
end
