# frozen_string_literal: true

module Katsu
  module Portable
    DEFAULT_OPTIONS = Ractors.share(::Katsu::Generator::Options.new)
    RAILS_OPTIONS = Ractors.share(::Katsu::Generator::Options.new(rails: true))
    # For a serializer's values, which may be nested as deep as JSON columns.
    VALUE_OPTIONS = Ractors.share(::Katsu::Generator::Options.new({max_nesting: Limits::JSON_DEPTH}, rails: true))
  end
end
