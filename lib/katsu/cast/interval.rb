# frozen_string_literal: true

module Katsu
  module Cast
    # PostgreSQL's intervals: text as "P1DT2H", an ActiveSupport::Duration, which prints as a whole number of seconds.
    module Interval
      NAME = :interval
      VALUES = %w[ActiveSupport::Duration].freeze
      MUTABLE = false
      RUBY = {if: "::ActiveSupport::Duration.equal?(VALUE.class)", text: "VALUE.to_i.to_s", hash: "VALUE.to_i"}.freeze
      RAW = nil

      def self.for?(type)
        Cast.type_named?(type, "PostgreSQL::OID::Interval")
      end

      Cast.register(self)
    end
  end
end
