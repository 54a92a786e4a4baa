# frozen_string_literal: true

module Katsu
  module Cast
    # JSON columns: the text is validated and copied, not parsed.
    module Json
      NAME = :json

      def self.for?(type)
        type.instance_of?(ActiveRecord::Type::Json) || Cast.named?(type, "PostgreSQL::OID::Jsonb")
      end

      Cast.register(self)
    end
  end
end
