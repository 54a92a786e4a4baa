# frozen_string_literal: true

module Katsu
  module Source
    # Hashes: the Symbol key, or else the String key.
    module HashSource
      class << self
        # See Source.bind.
        def bind(plan, _klass)
          [HASH, nil, plan.steps.map { |step| Access.new(KEY, -step.name.name) }]
        end

        # See Source.read.
        def read(serializer, hash, name)
          hash.fetch(name) { hash.fetch(name.name) { default(serializer, hash, name) } }
        end

        private

        # A Hash with a default has every key.
        def default(serializer, hash, name)
          return hash[name] if hash.default_proc || !(nil == hash.default)

          raise UnknownAttributeError.new(serializer, name, hash)
        end
      end
    end
  end
end
