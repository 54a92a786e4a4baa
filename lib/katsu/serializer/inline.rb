# frozen_string_literal: true

module Katsu
  class Serializer
    # The serializer that the block of an association declares:
    #
    #   has_one(:author) { attributes :id, :name }
    module Inline
      # Gives such a class the name of its association. The name is made when it is asked for: an owner that is made by
      # Class.new gets its own after its body has run, and the names of serializers are looked for in its namespaces.
      module Named
        def name = "#{@inline_owner.name || @inline_owner}.#{@inline_association}"
        def to_s = "#{@inline_owner}.#{@inline_association}"
        def inspect = to_s
        def key_transform = super || @inline_owner.key_transform

        # The owner's association may be that of a subclass, whose keys are written in another way.
        def form_within(outer, view)
          transform = outer.key_transform
          return super if @key_transform || outer.given_transform || transform.equal?(key_transform)

          form(view, transform, given: false)
        end

        # Words for what stands around a document, or is kept of one.
        %i[root meta cache].each do |word|
          define_method(word) do |*, **, &_|
            refuse_word("#{word} is for documents, and this serializer writes only a part of one")
          end
        end
      end

      class << self
        # The Association; block: without parameters. Raises ArgumentError for a block that declares nothing.
        def association(owner, kind, name, options, block, call: nil)
          what = "#{call ? :nested : kind} #{name.inspect}"
          given = %i[serializer each_serializer].find { |word| options.key?(word) }
          refuse(owner, what, "has #{given}: and a block that declares one; give one of them") if given
          serializer = declared(owner, what, name, block)
          refuse_views(owner, what, serializer) unless options.key?(:view) || serializer.own_views.empty?
          place = [*block.source_location.each(&:freeze), Call.captured(block)].freeze
          Association.new(owner, kind, name, {**options, serializer: serializer}, call: call, place: place)
        end

        private

        def declared(owner, what, association, block)
          serializer = Class.new(Serializer).extend(Named)
          serializer.instance_variable_set(:@inline_owner, owner)
          serializer.instance_variable_set(:@inline_association, association)
          begin
            serializer.class_exec(&block)
          rescue NameError => e
            refuse(owner, what, "#{e.message.lines.first.chomp}; #{rule(what)}")
          end
          nothing = serializer.description.names.empty? && serializer.own_views.empty?
          refuse(owner, what, "the block declares nothing; #{rule(what)}") if nothing
          serializer
        end

        def refuse_views(owner, what, serializer)
          views = serializer.own_views.keys
          instead = "; name it: #{what}, view: #{views[0].inspect}" unless what.start_with?("nested")
          refuse(owner, what, "the block declares the view #{views[0].inspect}, which nothing asks for#{instead}")
        end

        def rule(what)
          return "it is the body of a serializer, such as { attributes :street }" if what.start_with?("nested")

          "a block without a parameter declares the serializer; " \
            "a block that returns what is written takes the object: #{what.sub(" ", "(")}) { |object| ... }"
        end

        def refuse(owner, what, message)
          raise ArgumentError, "#{owner}: #{what}: #{message}"
        end
      end
    end
  end
end
