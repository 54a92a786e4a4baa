# frozen_string_literal: true

require_relative "generator/options"
require_relative "state"
require_relative "coder"

module Katsu
  PRETTY = {indent: "  ", space: " ", object_nl: "\n", array_nl: "\n"}.freeze
  private_constant :PRETTY

  class << self
    ##
    # :method: generate
    # :call-seq: generate(value, options = nil) -> String
    #
    # value as JSON. options: keywords, a Hash or a State, named in Generator::OPTIONS. Defined by the backend.
    #
    # Raises GeneratorError for a value that has no form in JSON, NestingError beyond max_nesting, ArgumentError and
    # TypeError for options.

    # value as indented JSON, two spaces a level. options: as for Katsu.generate; a State is taken as it is. Raises
    # GeneratorError, NestingError, ArgumentError and TypeError as generate does.
    def pretty_generate(value, options = nil)
      return generate(value, options) if options.is_a?(::JSON::State)

      generate(value, PRETTY.merge(Generator.hash_of(options || {})))
    end

    # Writes value's JSON to io in chunks of about 64 kB and returns io; without an io returns a String.
    #
    # As JSON.dump: NaN and infinities are allowed unless allow_nan: false is given, and limit is max_nesting, unless
    # that is given. Options may also be a Hash, given last. Raises Katsu::Error if io takes less than it is given,
    # ArgumentError for an io without write, TypeError if given is no Hash, and as generate.
    def dump(value = (bare = true), io = nil, limit = nil, given = nil, **options)
      value, options = pairs_alone(options), {} if bare
      given, io = io, nil if given.nil? && io.is_a?(Hash)
      given, limit = limit, nil if given.nil? && limit.is_a?(Hash)
      raise TypeError, "can't convert #{given.class} into Hash" unless given.nil? || given.respond_to?(:to_h)

      options = given.to_h.merge(options) if given
      io, limit = nil, io if limit.nil? && io.is_a?(Integer)
      # What has a write is written to: a GzipWriter's to_io is the io behind it.
      given_io = io
      io = io.to_io if !io.respond_to?(:write) && io.respond_to?(:to_io)
      Generator.check_io(io, "Katsu.dump", given_io) unless given_io.nil?
      options = {max_nesting: limit, **options} if limit
      options = {allow_nan: !options[:rfc8785], **options}
      Generator::Options.new(options).generate(value, io)
    end

    private

    # The value of a call such as dump(a: 1).
    def pairs_alone(pairs)
      pairs.empty? ? raise(ArgumentError, "wrong number of arguments (given 0, expected 1..4)") : pairs
    end
  end
end
