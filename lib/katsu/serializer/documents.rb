# frozen_string_literal: true

module Katsu
  class Serializer
    # The documents of a serializer class, and what they read from the database.
    module Documents
      # Returns a Katsu::Document: the JSON array of source, by this serializer. source: a relation, an Array, or
      # anything with each. options: only:, except:, context:, scope:, view:, transform_keys:; by: the name of an
      # attribute of the objects, or a callable that takes one, for a JSON object in which each stands under what that
      # gives. Nothing is read until the document is asked for something.
      #
      #   PostSerializer.many(Post.where(draft: false)).to_json
      #
      # Raises ArgumentError for unknown options, NumberError for a source that is no collection, InvalidFilterError,
      # SerializerNotFoundError.
      def many(source, options = {})
        Document.new(self, source, options, Keywords::MANY) do |reading|
          key = ObjectKey.of(self, "many", options)
          contents = Query.collection(reading, source)
          key ? Query::Keyed.new(contents, key) : contents
        end
      end

      # Returns a Katsu::Document of one object, source, or of the first record of a relation (null if there is none).
      # options: see many; by: is none of them.
      def one(source, options = {})
        Document.new(self, source, options) { |reading| Query.single(reading, source) }
      end

      # Returns the associations that this serializer reads, as +includes+ takes them: [:author, {comments: [:author]}].
      # model: if it is given, names that are no association of it are left out. filters: only:, except:, context:,
      # scope:, view:, transform_keys:.
      def preloads(model = nil, **filters)
        Query::Names.new(self, model, filters).preloads
      end

      # Returns the columns that this serializer reads of its own object, as Symbols. model: if it is given, names that
      # are no column of it are left out, and the keys of its associations are added. filters: see preloads.
      def columns(model = nil, **filters)
        Query::Names.new(self, model, filters).columns
      end
    end
  end
end
