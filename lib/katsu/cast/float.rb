# frozen_string_literal: true

module Katsu
  module Cast
    # Floats: the shortest digits that read back as the same number; null if not finite.
    module Float
      NAME = :float
      VALUES = %w[Float].freeze
      MUTABLE = false
      RUBY = {
        if: "::Float === VALUE && VALUE.finite?", text: "::Katsu::Portable::FloatText.of(VALUE)", hash: "VALUE"
      }.freeze
      RAW = RUBY

      # True for the type of such columns.
      def self.for?(type)
        type.instance_of?(ActiveModel::Type::Float)
      end

      Cast.register(self)
    end
  end
end
