# frozen_string_literal: true

require "katsu"

# Gives Panko's constants: a team that moves over changes the require and nothing else.
#
#   require "katsu/compat/panko"
#   class PostSerializer < Panko::Serializer; attributes :id; end
module Panko
  Serializer = ::Katsu::Serializer
  ArraySerializer = ::Katsu::ArraySerializer
  Response = ::Katsu::Response
  ObjectWriter = ::Katsu::ObjectWriter
  ResponseCreator = ::Katsu::Response::Creator
  JsonValue = ::Katsu::Fragment
  def JsonValue.from(json) = new(json)
  JsonValue.alias_method :value, :json
end
