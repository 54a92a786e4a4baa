# frozen_string_literal: true

module Katsu
  # A document under a key, and what is told about it beside it: {"posts":[...],"meta":{"total":3}}.
  class Envelope
    META = "meta"

    attr_reader :root

    # The Envelope of a call with pagination: and meta: among its options. declared: the meta that the serializer
    # declares. Of equal keys those of the call win. Raises ArgumentError.
    def self.of(owner, root, objects, options, declared = nil)
      beside = [declared, Pagination.meta(owner, objects, options[:pagination]), options[:meta]].compact
      return new(owner, root, options[:meta]) unless beside.all?(Hash)

      new(owner, root, beside.map { |meta| meta.transform_keys { |key| AsJson.text(key) } }.reduce(&:merge))
    end

    # owner: whose options these are, for errors. root: the key, a Symbol or String; nil or false for none. meta: a
    # Hash, or nil. Raises ArgumentError for anything else, and for meta without a root.
    def initialize(owner, root, meta)
      @root = root ? Serializer::Names.key(owner, "root", root) : nil
      unless meta.nil? || meta.is_a?(Hash)
        raise ArgumentError, "#{owner}: meta: #{meta.inspect} is a #{meta.class}; accepted is a Hash"
      end
      if meta && !@root
        raise ArgumentError, "#{owner}: meta: stands beside the document and needs a key for it, such as root: :posts"
      end
      raise ArgumentError, "#{owner}: root: and meta: would both be written under \"meta\"" if meta && @root == META

      @meta = meta
    end

    # json, the document's text, in the envelope.
    def text(json)
      return json unless @root

      text = String.new("{", capacity: json.bytesize + 256, encoding: Encoding::UTF_8)
      text << Katsu.generate(@root) << ":" << json
      text << ",\"#{META}\":" << placed { Response.new(@meta).to_json } if @meta
      text << "}"
    end

    # data, the document's Hash or Array, in the envelope.
    def hash(data)
      return data unless @root

      @meta ? {@root => data, META => placed { Response.new(@meta).as_json }} : {@root => data}
    end

    private

    # Of an error in meta.
    def placed
      yield
    rescue StandardError => e
      Generator.place_error(e, [META])
    end
  end
end
