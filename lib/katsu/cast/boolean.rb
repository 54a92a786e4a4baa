# frozen_string_literal: true

module Katsu
  module Cast
    # Booleans, as true and false, 1 and 0, or t and f.
    module Boolean
      NAME = :boolean

      def self.for?(type)
        type.instance_of?(ActiveModel::Type::Boolean)
      end

      Cast.register(self)
    end
  end
end
