# frozen_string_literal: true

module Katsu
  module Cast
    # Booleans: raw values are true and false, 1 and 0, or t and f.
    module Boolean
      NAME = :boolean
      VALUES = %w[TrueClass FalseClass].freeze
      MUTABLE = false
      RUBY = {if: "(true == VALUE || false == VALUE)", text: "VALUE.to_s", hash: "VALUE"}.freeze
      RAW = {
        if: "(true.equal?(VALUE) || 1.equal?(VALUE) || false.equal?(VALUE) || 0.equal?(VALUE))",
        text: "(true.equal?(VALUE) || 1.equal?(VALUE)).to_s", hash: "(true.equal?(VALUE) || 1.equal?(VALUE))"
      }.freeze

      # True for the type of such columns.
      def self.for?(type)
        type.instance_of?(ActiveModel::Type::Boolean)
      end

      Cast.register(self)
    end
  end
end
