# frozen_string_literal: true

module Katsu
  # A generator with its options decided once, strict, and a block for what JSON has no form for.
  #
  #   API = Katsu::Coder.new { |object, is_key| object.is_a?(Time) ? object.iso8601(3) : object }
  #   API.dump({at: Time.now.utc})   # => {"at":"2026-01-02T03:04:05.678Z"}
  class Coder
    # options: as for Katsu.generate; the block, or as_json:, is called with the object and whether it is a
    # Hash key, and returns something that JSON has a form for. ArgumentError for strict: false.
    def initialize(strict: true, as_json: nil, **options, &block)
      raise ArgumentError, "Katsu::Coder requires strict mode" unless strict

      @options = Generator::Options.new(options.merge(strict: true, as_json: block || as_json))
      freeze
    end

    # value's JSON as a String, or written to io in chunks, which is returned.
    def dump(value, io = nil)
      @options.generate(value, io)
    end
    alias generate dump
  end
end
