# frozen_string_literal: true

module Katsu
  # What many and one of a serializer class give: a document that is read and written when it is asked for.
  #
  #   posts = PostSerializer.many(Post.where(draft: false), only: [:id, :title])
  #   posts.to_json                            # => "[{"id":1, ...}]"
  #   posts.to_a                               # => [{"id" => 1, ...}]
  #   posts.write_to(file, format: :ndjson)    # one object a line
  #   [200, {"content-type" => "application/json"}, posts]   # a Rack response; each gives chunks
  #
  # Each of these reads the source anew, but for an Array and a relation that is loaded. The records of an association,
  # such as author.posts, may be loaded for good.
  class Document
    include Chunked

    FORMATS = %i[json ndjson].freeze
    private_constant :FORMATS

    # What is written.
    attr_reader :source

    # See Serializer::Documents#many and #one. serializer: the class. source, options: what they were given. known: the
    # accepted option names. The block receives a Query::Reading and returns the contents: a Query::Collection, Single
    # or Keyed.
    def initialize(serializer, source, options, known = Serializer::Keywords::FILTERS)
      Serializer::Keywords.check(serializer, options, known, beside: true)
      @form = Serializer::Form.of(serializer, options)
      @source = source
      context = options[:context]
      scope = options[:scope]
      plan = @form.plan(options[:only], options[:except], context, scope)
      @contents = yield Query::Reading.new(Caching.plan_for(plan, context, scope), context, scope)
    end

    # Returns the serializer class.
    def serializer = Serializer::Form.class_of(@form)

    # Returns the JSON. options: a generator's State, or what Rails' rendering passes, see RenderOptions. Raises
    # GeneratorError, UnknownAttributeError, NumberError.
    def to_json(options = nil, *)
      return RenderOptions.generate(self, options) if RenderOptions.change?(options)

      @text ? @text.dup : @contents.generate
    end

    # Returns Hashes with String keys, values as in the JSON: an Array of them, or one, or nil, or a Hash of them (by:).
    # options: see RenderOptions.
    def as_json(options = nil)
      RenderOptions.filtered(@contents.build, options, keyed: keyed?) { forms }
    end

    # Returns the Array of Hashes. Raises NoMethodError for a document of one object, and for one with by:.
    def to_a
      refuse(:to_a, "to_h is its Hash") if hash?
      @contents.build
    end

    # Returns the Hash of a document of one object, nil if there is none; with by: the Hash of Hashes. Raises
    # NoMethodError for another collection.
    def to_h
      refuse(:to_h, "to_a is its Array of Hashes") unless hash?
      @contents.build
    end

    # Writes the document to io in chunks and returns io. format: :json, or :ndjson, one object a line (not with by:).
    #
    # A relation without an order, a limit or an offset of its own is read in batches by its primary key. Raises
    # ArgumentError for another format and for an io without write.
    def write_to(io, format: :json)
      unless FORMATS.include?(format)
        raise ArgumentError, "#{self.class}#write_to: format: #{format.inspect}; accepted are " \
                             "#{FORMATS.map(&:inspect).join(" and ")}.#{NearestName.hint(format, FORMATS)}"
      end

      Generator.check_io(io, "#{self.class}#write_to")
      if format == :ndjson then @contents.write_lines(io)
      elsif @text then FullWrite.call(io, @text.dup)
      else @contents.write(io)
      end
      Generator.finish(io)
    end

    # Yields the JSON in chunks, as a Rack body does, and returns self; without a block returns an Enumerator. A chunk
    # is about 64 kB, or what an object or a batch of a relation takes if that is more.
    def each(&block)
      return to_enum unless block

      write_to(Chunks.new(block))
      self
    end

    # Returns an entity tag for HTTP, such as "\"5f2c...\"": the same for the same bytes. It writes the document, which
    # is kept for to_json, each and write_to without format:, so that they give the bytes that the tag is of.
    def etag
      @text ||= @contents.generate
      "\"#{EntityTag.digits(@text)}\""
    end

    # Returns what Rails' stale? and fresh_when ask for: the plan's digest, the version of the records (as Rails has it:
    # of a relation by one query, of associations by touch: true), context, scope, locale and zone. If there is no
    # version, the etag.
    def cache_key_with_version
      reading = @contents.reading
      version = Query::Version.of(reading.plan, @source, reading.context, reading.scope, one: single?)
      version = keyed_version(version) if version && keyed?
      version || "katsu/#{etag}"
    end

    # Returns how many objects the document has; nil if that is not known without a query. A relation that is written
    # from rows knows it afterwards.
    def size = @contents.known_size

    # Returns true for a document of one object, as one gives it.
    def single? = @contents.single?

    # Returns how the document is read and written: a table for people by to_s, data by to_h. Makes no query of the
    # source.
    def explain
      Query::Explanation.new(serializer, @contents)
    end

    # Returns true if the document is written in chunks.
    def chunked?
      @text.nil? && written_as_declared?(Document) && @contents.chunked?
    end

    # Returns the serializer and what it writes as a text; nothing is read for it.
    def inspect
      "#<#{self.class} #{serializer}.#{single? ? "one" : "many"}(#{@contents.description})>"
    end

    # An io that gives to a block what is written to it.
    class Chunks
      def initialize(block)
        @block = block
      end

      def write(text)
        @block.call(text)
        text.bytesize
      end
    end
    private_constant :Chunks

    private

    # Of the serializer, for RenderOptions.
    def forms = [@form]

    def keyed? = @contents.is_a?(Query::Keyed)
    def hash? = keyed? || single?

    # Nobody knows what a callable reads.
    def keyed_version(version)
      "#{version}/by-#{::Digest::SHA256.hexdigest(@contents.version.name)[0, 32]}" if @contents.version
    end

    def refuse(name, instead)
      raise NoMethodError.new("undefined method '#{name}' for #{inspect}; #{instead}", name, receiver: self)
    end
  end
end
