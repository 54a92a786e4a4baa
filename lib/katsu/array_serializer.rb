# frozen_string_literal: true

module Katsu
  # A collection, each object by the same serializer.
  #
  #   Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer).to_json
  class ArraySerializer
    attr_accessor :subjects

    # subjects: an Array, a relation, or anything with to_a. options: each_serializer: and those of Serializer#initialize.
    # Raises ArgumentError where each_serializer is missing, InvalidFilterError, SerializerNotFoundError.
    def initialize(subjects, options = {})
      Serializer::Options.check(self.class, options, Serializer::Options::COLLECTION)
      each_serializer = options[:each_serializer]
      refuse(each_serializer) unless each_serializer.is_a?(Class) && each_serializer <= Serializer
      @subjects = subjects
      @context = options[:context]
      @scope = options[:scope]
      @plan = each_serializer.plan(options[:only], options[:except], @context, @scope)
    end

    # The JSON array. options: see Rendering.
    def to_json(options = nil, *)
      return Katsu.generate(as_json(options)) if Rendering.filters?(options)

      @plan.generate_all(@subjects, @context, @scope)
    end

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
      Rendering.filtered(to_a, options)
    end

    private

    def refuse(given)
      raise ArgumentError, "ArraySerializer needs each_serializer:, a Katsu::Serializer class#{" (got #{given.inspect})" if given}, " \
                           "for example: Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer)"
    end
  end
end
