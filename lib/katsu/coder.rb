# frozen_string_literal: true

module Katsu
  # A generator with its options decided once, strict, and a block for what JSON has no form for.
  #
  #   API = Katsu::Coder.new { |object, is_key| object.is_a?(Time) ? object.iso8601(3) : object }
  #   API.dump({at: Time.now.utc})   # => {"at":"2026-01-02T03:04:05.678Z"}
  class Coder
    # options: as for Katsu.generate; the block, or as_json:, is called with the object and whether it is a Hash key,
    # and returns something that JSON has a form for. Raises ArgumentError for strict: false and unknown options.
    def initialize(strict: true, as_json: nil, **options, &block)
      raise ArgumentError, "Katsu::Coder requires strict mode" unless strict

      @options = Generator::Options.new(options.merge(strict: true, as_json: block || as_json))
      freeze
    end

    # value's JSON as a String; with an io it is written there in chunks and io is returned. Raises GeneratorError and
    # NestingError, and ArgumentError for an io without write.
    def dump(value, io = nil)
      Generator.check_io(io, "Katsu::Coder#dump") unless io.nil?
      @options.generate(value, io)
    end
    alias generate dump
  end
end
