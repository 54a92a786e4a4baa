# frozen_string_literal: true

module Katsu
  class Serializer
    # Finds an association's serializer by its name, first in the namespaces of the class that declares it.
    module Resolver
      class << self
        # The class. given: a class, a name, or nil for the association's name. Raises SerializerNotFoundError with the
        # names that were tried, and Error if this Ractor cannot look names up.
        def resolve(association, given = association.serializer)
          return given if given.is_a?(Class)

          owner = association.owner
          tried = candidates(owner, (given || association.name).to_s)
          tried.each do |name|
            found = constant(name)
            return found if found.is_a?(Class) && found < Serializer
          end
          raise SerializerNotFoundError.by_name(owner, association.name, tried)
        rescue *Ractors::ISOLATION_ERRORS
          raise Error, "#{association.owner}: the serializer of #{association.name} is looked up by ActiveSupport's " \
                       "inflections, which the main Ractor alone can read; give the class by serializer:, or use the " \
                       "serializer in the main Ractor first"
        end

        # The names of classes that a name means in that owner, of which the first that is there counts.
        def candidates(owner, name)
          bases = ["#{singular_class(name)}Serializer", "#{camelized(name)}Serializer", name].uniq
          return bases.map { |base| base.delete_prefix("::") } if name.start_with?("::")

          namespaces(owner).flat_map { |namespace| bases.map { |base| namespace + base } }.uniq
        end

        private

        # "A::B::" and "A::" for A::B::PostSerializer, then the top.
        def namespaces(owner)
          parts = owner.name.to_s.split("::")[0...-1]
          parts.size.downto(0).map { |count| parts.first(count).map { |part| "#{part}::" }.join }
        end

        def singular_class(name)
          return camelized(name.singularize) if name.respond_to?(:singularize)

          camelized(name.sub(/ies\z/, "y").sub(/(?<!s)s\z/, ""))
        end

        def camelized(name)
          return name.camelize if name.respond_to?(:camelize)

          name.split("_").map { |word| word.empty? ? "" : word[0].upcase + word[1..] }.join
        end

        def constant(name)
          return unless name.match?(/\A[[:upper:]][[:word:]]*(::[[:upper:]][[:word:]]*)*\z/)

          Object.const_get(name)
        rescue NameError => e
          raise if e.is_a?(NoMethodError) || !name.split("::").include?(e.name.to_s)
        end
      end
    end
  end
end
