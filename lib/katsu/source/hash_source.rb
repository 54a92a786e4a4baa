# frozen_string_literal: true

module Katsu
  module Source
    # Hashes: the Symbol key, or else the String key.
    module HashSource
      class << self
        # See Source.bind.
        def bind(plan, klass)
          how = defined?(Native) && own_fetch?(klass) ? DYNAMIC : KEY # the ruby backend calls fetch in any case
          [HASH, nil, plan.steps.map { |step| Access.new(how, -step.name.name) }]
        end

        # See Source.read.
        def read(serializer, hash, name)
          hash.fetch(name) { hash.fetch(name.name) { default(serializer, hash, name) } }
        end

        private

        # True of a subclass that finds keys in another way. Rails' own has the String keys that it finds.
        def own_fetch?(klass)
          return true unless klass.method_defined?(:fetch)
          return false if (owner = klass.instance_method(:fetch).owner).equal?(::Hash)

          rails = defined?(::ActiveSupport::HashWithIndifferentAccess) && ::ActiveSupport::HashWithIndifferentAccess
          !(owner.equal?(rails) && klass.instance_method(:convert_key).owner.equal?(rails))
        end

        # A Hash with a default has every key.
        def default(serializer, hash, name)
          return hash[name] if hash.default_proc || !(nil == hash.default)

          raise UnknownAttributeError.new(serializer, name, hash)
        end
      end
    end
  end
end
