# frozen_string_literal: true

module Katsu
  module Cast
    # Integers, of every width.
    module Integer
      NAME = :integer

      def self.for?(type)
        [ActiveModel::Type::Integer, ActiveModel::Type::BigInteger].include?(type.class) ||
          type.class.name == "ActiveRecord::ConnectionAdapters::SQLite3Adapter::SQLite3Integer"
      end

      Cast.register(self)
    end
  end
end
