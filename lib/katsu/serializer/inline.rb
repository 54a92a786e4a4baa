# frozen_string_literal: true

module Katsu
  class Serializer
    # The serializer that the block of an association declares:
    #
    #   has_one(:author) { attributes :id, :name }
    module Inline
      # Such a class says where it is declared.
      module Named
        def name = @inline_name
        def to_s = @inline_name
        def inspect = @inline_name
      end

      class << self
        # The Association; block: without parameters. Raises ArgumentError for a block that declares nothing.
        def association(owner, kind, name, options, block)
          what = "#{kind} #{name.inspect}"
          given = %i[serializer each_serializer].find { |word| options.key?(word) }
          refuse(owner, what, "has #{given}: and a block that declares one; one says it") if given
          serializer = declared(owner, what, "#{owner}.#{name}", block)
          Association.new(owner, kind, name, {**options, serializer: serializer}, place: block.source_location.each(&:freeze).freeze)
        end

        private

        def declared(owner, what, inline_name, block)
          serializer = Class.new(Serializer).extend(Named)
          serializer.instance_variable_set(:@inline_name, inline_name.freeze)
          begin
            serializer.class_exec(&block)
          rescue NameError => e
            refuse(owner, what, "#{e.message.lines.first.chomp}; #{rule(what)}")
          end
          refuse(owner, what, "the block declares nothing; #{rule(what)}") if serializer.description.names.empty?
          serializer
        end

        def rule(what)
          "a block without a parameter declares the serializer, one that gives what is written takes the object: #{what.sub(" ", "(")}) { |object| ... }"
        end

        def refuse(owner, what, message)
          raise ArgumentError, "#{owner}: #{what}: #{message}"
        end
      end
    end
  end
end
