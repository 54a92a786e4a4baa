# frozen_string_literal: true

class ApplicationSerializer < Katsu::Serializer
end
