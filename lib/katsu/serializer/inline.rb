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
      end

      class << self
        # The Association; block: without parameters. Raises ArgumentError for a block that declares nothing.
        def association(owner, kind, name, options, block, call: nil)
          what = "#{kind} #{name.inspect}"
          given = %i[serializer each_serializer].find { |word| options.key?(word) }
          refuse(owner, what, "has #{given}: and a block that declares one; give one of them") if given
          serializer = declared(owner, what, name, block)
          place = block.source_location.each(&:freeze).freeze
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
          refuse(owner, what, "the block declares nothing; #{rule(what)}") if serializer.description.names.empty?
          serializer
        end

        def rule(what)
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
