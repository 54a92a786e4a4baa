# frozen_string_literal: true

module Katsu
  # What writes itself to an io in chunks, by write_to(io), if chunked? says that this is worth while.
  module Chunked
    private

    # True while what the class below answers is what to_json and as_json answer: neither is overridden.
    def written_as_declared?(declared)
      to_json, as_json = method(:to_json).owner, method(:as_json).owner
      to_json.equal?(declared) && as_json.equal?(declared)
    end
  end
end
