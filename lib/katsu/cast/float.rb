# frozen_string_literal: true

module Katsu
  module Cast
    # Floats: the shortest digits that read back as the same number; null where not finite.
    module Float
      NAME = :float

      def self.for?(type)
        type.instance_of?(ActiveModel::Type::Float)
      end

      Cast.register(self)
    end
  end
end
