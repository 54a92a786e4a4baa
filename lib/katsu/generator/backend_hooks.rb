# frozen_string_literal: true

require "json"
require_relative "canonical"

module Katsu
  # Ruby code that both backends call while they generate: it runs rarely and is easier to read here than in C.
  module Generator
    PART = :katsu_part
    private_constant :PART

    class << self
      # Options as a Hash. Raises TypeError for what converts to none.
      def hash_of(options)
        return options.to_hash if options.respond_to?(:to_hash)

        options.respond_to?(:to_h) ? options.to_h : raise(TypeError, "can't convert #{options.class} into Hash")
      end

      # True if the object's to_json is the one that the json gem defines for any object: to_s as a String. A proxy may
      # answer to a method that it does not have.
      def as_text?(object)
        to_json_owner(::Kernel.instance_method(:method).bind_call(object, :to_json)).equal?(OBJECT_METHODS)
      rescue ::NameError
        false
      end

      # True for an object whose class has an as_json, as records have, and no to_json but that of all objects. The
      # as_json that ActiveSupport gives Ruby's own classes does not count: a Time is written as without ActiveSupport.
      def record?(object)
        return false unless ::Object === object && object.respond_to?(:as_json)

        method = ::Kernel.instance_method(:method)
        as_json = method.bind_call(object, :as_json)
        !of_all_objects?(as_json) && !as_json.source_location&.first.to_s.include?("active_support/core_ext/") &&
          (!object.respond_to?(:to_json) || of_all_objects?(method.bind_call(object, :to_json)))
      end

      # True for a Stream that neither a subclass nor the object itself gives another to_json or as_json: those are
      # called.
      def stream?(stream)
        %i[to_json as_json].all? { |name| stream.method(name).owner.equal?(Stream) }
      end

      # Raises an error again that an object raised while it wrote itself. path: the place of the object, an Array of
      # keys and indexes; empty if it is the document.
      def place_error(error, path)
        raise error, cause: error.cause if path.empty?

        Place.raise_below(error, path)
      end

      # part: [object, io]. The object writes itself. The io is not flushed, as the rest of the document follows.
      def write_part(part)
        object, io = part
        outer = Thread.current[PART]
        Thread.current[PART] = io
        object.write_to(io)
      ensure
        Thread.current[PART] = outer
      end

      # Flushes io, as json does, at the end of a document. Not a GzipWriter, which compresses less with each flush.
      def finish(io)
        return io if io.equal?(Thread.current[PART])

        io.flush if io.respond_to?(:flush) && !(defined?(::Zlib::GzipWriter) && ::Zlib::GzipWriter === io)
        io
      end

      # Raises ArgumentError for an io without write. method: the caller's name. given: what the message names.
      def check_io(io, method, given = io)
        raise ArgumentError, "#{method}: #{given.class} has no write method" unless io.respond_to?(:write)
      end

      # Raises ArgumentError for option names that are not in OPTIONS.
      def refuse_options(names)
        list = names.map(&:inspect).join(", ")
        raise ArgumentError, "unknown keyword#{"s" if names.size > 1}: #{list}; known are #{OPTIONS.join(", ")}"
      end

      # Raises GeneratorError if a String and a Symbol key would be written as the same key. path: the Hash's place.
      def check_duplicate_keys(hash, path)
        seen = {}
        exact(hash).each_key do |key|
          name = key.to_s
          if seen[name]
            raise GeneratorError.new("detected duplicate key #{name.inspect} in #{hash.inspect}", hash, path)
          end

          seen[name] = true
        end
      end

      # The Hash with its keys as Strings; of two equal ones the last is kept, as as_json does. Raises TypeError for a
      # key whose to_s gives no String.
      def stringify_keys(hash)
        exact(hash).each_with_object({}) { |(key, value), strings| strings[AsJson.text(key)] = value }
      end

      # The Hash in the order of its keys; canonical JSON has its own order. as_json: the Proc that converts keys in
      # strict mode; nil or false if there is none. path: the Hash's place, needed for canonical JSON.
      def sort(hash, canonical, as_json, path)
        hash = exact(hash)
        canonical ? Canonical.sort(hash, as_json, path) : sorted(hash)
      end

      # A number as canonical JSON prints it, see Canonical. path: its place, needed for an Integer that may be large.
      def canonical_number(number, path)
        Canonical.number(number, path)
      end

      private

      # What a Hash has, without the methods of a class of its own. No constant: an UnboundMethod is not shareable.
      def exact(hash)
        hash.instance_of?(::Hash) ? hash : ::Hash.instance_method(:to_h).bind_call(hash)
      end

      # hash.sort.to_h; keys that are all Strings are compared without an Array a pair.
      def sorted(hash)
        return hash.sort.to_h if hash.compare_by_identity? || !hash.each_key.all?(String)

        hash.keys.sort!.to_h { |key| [key, hash[key]] }
      end

      def of_all_objects?(method)
        ::Object.ancestors.include?(method.owner)
      end

      # The module whose to_json receives a State. ActiveSupport's own passes it on.
      def to_json_owner(method)
        method = method.super_method while method&.owner&.name == "ActiveSupport::ToJsonWithActiveSupportEncoder"
        method&.owner
      end
    end

    # The module in which the json gem defines Object#to_json; nil if another library defined it before.
    OBJECT_METHODS = to_json_owner(Object.instance_method(:to_json)).then do |owner|
      owner if owner&.name.to_s.start_with?("JSON")
    end
    private_constant :OBJECT_METHODS
  end
end
