# frozen_string_literal: true

module Katsu
  module Cast
    # Binary columns and MySQL's bit columns: a String of bytes, which prints as text if it is ASCII. The mysql2 adapter
    # makes true and false of bit(1).
    module Binary
      NAME = :binary
      VALUES = %w[String TrueClass FalseClass].freeze
      MUTABLE = true
      RUBY = {
        if: "::String === VALUE && ::String.equal?(VALUE.class) && " \
            "VALUE.ascii_only? && ::Katsu::Portable::Text.unescaped?(VALUE)",
        text: "VALUE", quoted: true,
        hash_if: "::String === VALUE && ::String.equal?(VALUE.class)", hash: "VALUE"
      }.freeze
      RAW = nil

      def self.for?(type)
        type.instance_of?(ActiveModel::Type::Binary)
      end

      Cast.register(self)
    end
  end
end
