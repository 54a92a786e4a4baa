# frozen_string_literal: true

module Katsu
  module Cast
    # Text: escaped, nothing else.
    module String
      NAME = :string

      def self.for?(type)
        [ActiveModel::Type::String, ActiveModel::Type::ImmutableString, ActiveRecord::Type::Text].include?(type.class)
      end

      Cast.register(self)
    end
  end
end
