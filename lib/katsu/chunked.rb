# frozen_string_literal: true

module Katsu
  # For objects that write themselves to an io in chunks, by write_to(io), if chunked? returns true.
  module Chunked
    # For Marshal, and so for caches. Raises TypeError: a document holds what it is written by, not its text.
    def marshal_dump
      raise TypeError, "#{self.class} is not kept by Marshal or a cache: keep document.to_json, and " \
                       "Katsu::Fragment.new(text) puts it into a document"
    end

    private

    # True if neither to_json nor as_json is overridden below the class that declares them.
    def written_as_declared?(declared)
      to_json, as_json = method(:to_json).owner, method(:as_json).owner
      to_json.equal?(declared) && as_json.equal?(declared)
    end
  end
end
