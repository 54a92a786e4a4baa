# frozen_string_literal: true

module Katsu
  # Numbers that several files share. The C files name those that they need by themselves.
  module Limits
    # Bytes of a document with which a chunk is full: KATSU_IO_CHUNK.
    CHUNK = 65_536
    # Objects of a collection that are read, looked up in a store or written at once.
    BATCH = 1000
    # A collection of fewer objects becomes one String, which goes to the io together with the text around it.
    SMALL = 100
    # Levels of a JSON column, and of a serializer's value: KATSU_JSON_DEPTH.
    JSON_DEPTH = 512
    # Polymorphic associations within each other, which go as far as the data do: POLYMORPHIC_DEPTH.
    POLYMORPHIC_DEPTH = 100
    # Objects in turn that may return an object with an as_json: AS_JSON_CALLS.
    AS_JSON_CALLS = 16
    # Keys and indexes in the path of a NestingError.
    PATH_SEGMENTS = 10
  end
  private_constant :Limits
end
