# frozen_string_literal: true

module Katsu
  # A collection, each object by the same serializer.
  #
  #   Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer).to_json
  class ArraySerializer
    include Chunked

    attr_accessor :subjects

    # subjects: an Array, a relation, or anything with to_a. options: each_serializer: and those of Serializer#initialize.
    # Raises ArgumentError where each_serializer is missing, InvalidFilterError, SerializerNotFoundError.
    def initialize(subjects, options = {})
      Serializer::Keywords.check(self.class, options, Serializer::Keywords::COLLECTION)
      each_serializer = options[:each_serializer]
      refuse(each_serializer) unless each_serializer.is_a?(Class) && each_serializer <= Serializer
      @subjects = subjects
      @context = options[:context]
      @scope = options[:scope]
      @plan = each_serializer.plan(options[:only], options[:except], @context, @scope)
    end

    # The serializer of each object.
    def serializer = @plan.serializer

    # The JSON array. options: see RenderOptions.
    def to_json(options = nil, *)
      return Katsu.generate(as_json(options)) if RenderOptions.filters?(options)

      @plan.generate_all(@subjects, @context, @scope)
    end

    # Writes the JSON array to io in chunks, object by object, and returns io.
    def write_to(io)
      @plan.write_all(@subjects, @context, @scope, io)
    end

    # False of a short Array. The size of a relation is not asked for, which may be a query.
    def chunked?
      return false unless written_as_declared?(ArraySerializer)

      !@subjects.is_a?(Array) || @subjects.size >= SMALL
    end

    # Fewer objects are made a String, which goes to the io together with what is around it.
    SMALL = 100
    private_constant :SMALL

    # An Array of Hashes.
    def to_a
      @plan.build_all(@subjects, @context, @scope)
    end

    # As to_a and to_json, for other subjects.
    def serialize(subjects)
      @plan.build_all(subjects, @context, @scope)
    end

    def serialize_to_json(subjects)
      @plan.generate_all(subjects, @context, @scope)
    end

    # So that an ArraySerializer may stand inside what Rails renders.
    def as_json(options = nil)
      RenderOptions.filtered(to_a, options)
    end

    private

    def refuse(given)
      raise ArgumentError, "ArraySerializer needs each_serializer:, a Katsu::Serializer class#{" (got #{given.inspect})" if given}, " \
                           "for example: Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer)"
    end
  end
end
