# frozen_string_literal: true

module Katsu
  class Serializer
    # One call for a whole document: of one object or of a collection, with a root and what is told beside it.
    module Rendering
      OPTIONS = [*Keywords::MANY, :root, :meta, :pagination].freeze
      AROUND = %i[root meta pagination].freeze

      # Returns the JSON of objects if they are a collection, otherwise of one object; "null" for nil. options: only:,
      # except:, context:, scope:, view:, transform_keys: (see Serializer#initialize), by: (see Documents#many), root:
      # the key that the document stands under, meta: a Hash beside it, pagination: true for a page of kaminari or
      # will_paginate, or an object of pagy (see Pagination).
      #
      #   PostSerializer.render(posts, root: :posts, meta: {total: 3})   # => {"posts":[...],"meta":{"total":3}}
      #
      # Raises ArgumentError, InvalidFilterError, SerializerNotFoundError.
      def render(objects, options = NONE)
        rendered(objects, options) { |envelope, document| envelope.text(document.to_json) }
      end

      # Returns the same as a Hash with String keys, or as an Array of Hashes if there is no root. objects, options: as
      # for render.
      def render_as_hash(objects, options = NONE)
        rendered(objects, options) { |envelope, document| envelope.hash(document.as_json) }
      end

      # True of what render writes as a collection: what the object is decides it, so a Hash, a Struct and a record are
      # one object, and an Array, a relation, a Set, an Enumerator and a Katsu::Stream are many.
      def self.many?(objects)
        case objects
        when Array, Stream then true
        when Hash, Struct, Module then false
        when Enumerable then !Query.record?(objects)
        else Source.collection?(Source.class_of(objects))
        end
      end

      NONE = {}.freeze
      private_constant :NONE

      private

      def rendered(objects, options)
        Keywords.check(self, options, OPTIONS, beside: true)
        many = Rendering.many?(objects)
        envelope = envelope(objects, many, options)
        options = options.except(*AROUND)
        options = without_by(options, objects) unless many
        yield envelope, many ? many(objects, options) : one(objects, options)
      end

      # nil may stand in the place of a collection.
      def without_by(options, objects)
        unless options[:by].nil? || nil == objects
          given = Source.class_of(objects)
          raise ArgumentError, "#{self}: by: is for a collection and was given one object, a #{given}"
        end

        options.except(:by)
      end
    end
  end
end
