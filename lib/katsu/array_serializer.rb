# frozen_string_literal: true

module Katsu
  # A collection of which each object is written by the same serializer.
  #
  #   Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer).to_json
  class ArraySerializer
    include Chunked

    # What is written: an Array, a relation, or anything with to_a.
    attr_accessor :subjects

    # subjects: an Array, a relation, or anything with to_a. options: each_serializer: (a class, or a
    # Hash of them by the objects' classes), by: (see Documents#many) and those of Serializer#initialize. Raises
    # ArgumentError if each_serializer is missing or an option is unknown,
    # InvalidFilterError and SerializerNotFoundError.
    def initialize(subjects, options = {})
      Serializer::Keywords.check(self.class, options, Serializer::Keywords::COLLECTION)
      each_serializer = options[:each_serializer]
      @subjects = subjects
      @context = options[:context]
      @scope = options[:scope]
      @hash = !options[:by].nil?
      @plan = plan_of(each_serializer, options)
    end

    # Returns the serializer class of each object; nil if there are several.
    def serializer = @plan.serializer

    # The JSON array as a String. options: a generator's State, or what Rails' rendering passes, see RenderOptions.
    # Raises GeneratorError, UnknownAttributeError and NumberError.
    def to_json(options = nil, *)
      return RenderOptions.generate(self, options) if RenderOptions.change?(options)

      @plan.generate_all(@subjects, @context, @scope)
    end

    # Writes the JSON array to io in chunks, object by object, and returns io. Raises as to_json, and Error if io takes
    # less than it is given, ArgumentError for an io without write.
    def write_to(io)
      Generator.check_io(io, "#{self.class}#write_to")
      @plan.write_all(@subjects, @context, @scope, io)
      Generator.finish(io)
    end

    # False for a short Array. The size of a relation is not asked for: that may be a query.
    def chunked?
      return false unless written_as_declared?(ArraySerializer)

      !@subjects.is_a?(Array) || @subjects.size >= Limits::SMALL
    end

    # The objects as an Array of Hashes with String keys. Raises as to_json, and NoMethodError if there is a by:.
    def to_a
      refuse_method(:to_a, "with by: it is a Hash, by to_h") if @hash
      serialize(@subjects)
    end

    # Returns the objects as a Hash of Hashes by key. Raises as to_json, and NoMethodError without by:.
    def to_h
      refuse_method(:to_h, "without by: it is an Array, by to_a") unless @hash
      serialize(@subjects)
    end

    # As to_a or to_h, for other subjects.
    def serialize(subjects)
      @plan.build_all(subjects, @context, @scope)
    end

    # As to_json, for other subjects.
    def serialize_to_json(subjects)
      @plan.generate_all(subjects, @context, @scope)
    end

    # As to_a or to_h, for an ArraySerializer inside what Rails renders. options: see RenderOptions.
    def as_json(options = nil)
      RenderOptions.filtered(@hash ? to_h : to_a, options, keyed: @hash) { forms }
    end

    # Returns what Rails' stale? and fresh_when ask for. It is made of the JSON, which is written for it.
    def cache_key_with_version
      "katsu/#{EntityTag.digits(to_json)}"
    end

    private

    # Of the serializers, for RenderOptions.
    def forms = @form ? [@form] : @plan.forms

    # Loads the associations that the serializers read, if each_serializer: is a Hash. The collection is read once: it
    # may be an Enumerator.
    def preload
      elements = Source.elements(@subjects) unless @subjects.is_a?(Stream)
      return unless elements

      @subjects = elements
      @plan.preload(elements, @context, @scope)
    end

    def plan_of(each_serializer, options)
      return Plan::Mixed.new(each_serializer, options) if each_serializer.is_a?(Hash)

      refuse(each_serializer) unless each_serializer.is_a?(Class) && each_serializer <= Serializer
      @form = Serializer::Form.of(each_serializer, options)
      plan = @form.plan(options[:only], options[:except], @context, @scope)
      key = Serializer::ObjectKey.of(self.class, "each_serializer", options)
      key ? Plan::Keyed.new(plan, key) : plan
    end

    def refuse_method(name, instead)
      raise NoMethodError.new("undefined method '#{name}' for #{self.class}; #{instead}", name, receiver: self)
    end

    def refuse(given)
      raise ArgumentError,
            "ArraySerializer needs each_serializer:, a Katsu::Serializer class#{" (got #{given.inspect})" if given}, " \
            "for example: Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer)"
    end
  end
end
