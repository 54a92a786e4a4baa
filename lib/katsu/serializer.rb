# frozen_string_literal: true

require_relative "filters"
require_relative "serializer/no_value"
require_relative "serializer/keywords"
require_relative "serializer/names"
require_relative "serializer/call"
require_relative "serializer/condition"
require_relative "serializer/needs"
require_relative "serializer/documents"
require_relative "serializer/conversion"
require_relative "serializer/field_rule"
require_relative "serializer/attribute"
require_relative "serializer/object_key"
require_relative "serializer/association"
require_relative "serializer/inline"
require_relative "serializer/draft"
require_relative "serializer/description"
require_relative "serializer/resolver"
require_relative "serializer/field_names"
require_relative "serializer/requested_fields"
require_relative "serializer/method_fields"
require_relative "serializer/reserved_names"
require_relative "serializer/declarations"
require_relative "plan"
require_relative "serializer/plans"
require_relative "serializer/key_transform"
require_relative "serializer/form"
require_relative "serializer/forms"
require_relative "serializer/views"
require_relative "serializer/dsl"
require_relative "serializer/cache_rule"
require_relative "serializer/caching"
require_relative "serializer/enveloping"
require_relative "serializer/envelopes"
require_relative "serializer/rendering"

module Katsu
  # Declares how an object is written, and writes it.
  #
  #   class PostSerializer < Katsu::Serializer
  #     attributes :id, :title, :word_count
  #     has_one :author, serializer: AuthorSerializer
  #     def word_count = object.body.split.size
  #   end
  #
  #   PostSerializer.new.serialize_to_json(post)            # => {"id":1,...}
  #   PostSerializer.new(only: [:id]).serialize(post)       # => {"id" => 1}
  #
  # Keys come out in this order: attributes, method fields and blocks, has_one, has_many; each as declared.
  class Serializer
    # What a method field returns to leave its key out.
    SKIP = Object.new.freeze

    include NoValue
    extend Plans
    extend Declarations
    extend DSL
    extend Forms
    extend Views
    extend Documents
    extend Enveloping
    extend Envelopes
    extend Rendering
    extend Caching

    class << self
      # A filter from what a client asks for. text: names joined by commas, such as a query string's
      # "id,title,author.name", or an Array of them: declared names, or the keys that transform_keys of the class or of
      # Katsu.configure writes. What transform_keys: of a call writes is not known. A key that is the declared name of
      # another field means that field. allow: the declared names that a client may ask for. view: the view that is
      # written.
      #
      #   PostSerializer.new(only: PostSerializer.fields(params[:fields], allow: [:id, :title, {author: [:name]}]))
      #
      # Raises InvalidFilterError for a name that is not allowed, and says what is; ArgumentError and
      # SerializerNotFoundError if nothing is allowed, or what the view does not declare, or there is no such view.
      def fields(text, allow:, view: nil)
        RequestedFields.parse(form(view), text, allow)
      end
    end

    # For method fields, blocks and conditions: the object being written, and the context and scope given to new.
    attr_reader :object, :context, :scope

    # Attributes may have the names class, object and context, and methods for them.
    alias katsu_class class
    alias katsu_object object
    alias katsu_context context
    private :katsu_class, :katsu_object, :katsu_context

    # options, a Hash or keywords: only:, except: (see Filters), context: and scope: (anything; method fields,
    # conditions and filters_for see them), view:, transform_keys: (see Views; the latter is for the whole document).
    # Raises ArgumentError, InvalidFilterError, SerializerNotFoundError.
    def initialize(options = nil)
      if options
        Keywords.check(katsu_class, options, Keywords::FILTERS)
        @context = options[:context]
        @scope = options[:scope]
        @plan = Form.of(katsu_class, options).plan(options[:only], options[:except], @context, @scope)
      else
        @plan = self.class.plan
      end
    rescue ::StandardError
      raise if options || katsu_class.instance_method(:class).owner.equal?(::Kernel)

      # class is an attribute's method, which may read an object that is not there yet. To call katsu_class each time
      # takes interpreters 13 ns.
      @plan = katsu_class.plan
    end

    # Returns object's JSON as a String; "null" for nil. Raises GeneratorError, UnknownAttributeError, NumberError.
    def serialize_to_json(object)
      @plan.generate(object, @context, @scope)
    end

    # Returns object as a Hash with String keys, its values as in the JSON; nil for nil. Raises what serialize_to_json
    # raises.
    def serialize(object)
      @plan.build(object, @context, @scope)
    end

    # Returns the class and the keys that this serializer writes, for logs and consoles.
    def inspect
      "#<#{katsu_class} #{@plan.steps.map(&:key).join(", ")}>"
    end
  end
end
