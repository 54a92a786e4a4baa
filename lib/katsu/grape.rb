# frozen_string_literal: true

require "katsu"

module Katsu
  # Serializers as what Grape's present takes: require "katsu/grape".
  #
  #   formatter :json, Katsu::Grape::Formatter
  #   get(:posts) { present Post.all, with: PostSerializer, view: :index }
  module Grape
    # What Grape tells every entity.
    TOLD = %i[env version].freeze
    private_constant :TOLD

    # Returns what present renders: a Document of the objects if they are a collection, otherwise of one. options: those
    # of Documents#many. Raises ArgumentError for others.
    def represent(objects, options = {})
      options = options.except(*TOLD)
      Serializer::Rendering.many?(objects) ? many(objects, options) : one(objects, options)
    end

    # Writes documents in Hashes, as present :posts, posts, with: PostSerializer makes them, as the text that they are.
    module Formatter
      # Returns the JSON. object: what the endpoint answers. _env: that of Rack, which Grape gives.
      def self.call(object, _env)
        case object
        when Hash, Array then Response.new(object).to_json
        else object.to_json
        end
      end
    end

    Serializer.extend(self)
  end
end
