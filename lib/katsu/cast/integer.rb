# frozen_string_literal: true

module Katsu
  module Cast
    # Integers, of every width.
    module Integer
      NAME = :integer

      def self.for?(type)
        type.class.name.match?(/\AActiveModel::Type::(Big)?Integer\z|SQLite3Integer\z/)
      end

      Cast.register(self)
    end
  end
end
