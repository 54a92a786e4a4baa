# frozen_string_literal: true

module Katsu
  # Raised for a document that is nested deeper than max_nesting, or contains itself. The message is json's.
  class NestingError < Error
    include Place

    # The depth that was reached, and where: the outermost ten keys and indexes, such as "a.b[0]".
    attr_reader :depth, :path

    def initialize(depth = 0, segments = [])
      @depth = depth
      @path = Path.join(segments.first(Limits::PATH_SEGMENTS))
      super("nesting of #{depth} is too deep. Did you try to serialize objects with circular references?")
    end

    private

    def katsu_places
      @path.to_s.empty? ? super : ["under #{@path}", *super]
    end
  end
end
