# frozen_string_literal: true

# Turns values, database rows and objects into JSON. See README.md.
module Katsu
end

require_relative "katsu/version"
require_relative "katsu/limits"
require_relative "katsu/errors"
require_relative "katsu/ractors"
require_relative "katsu/fragment"
require_relative "katsu/chunked"
require_relative "katsu/full_write"
require_relative "katsu/stream"
require_relative "katsu/backend"
require_relative "katsu/generator"
require_relative "katsu/writer"
require_relative "katsu/object_writer"
require_relative "katsu/report"
require_relative "katsu/serializer"
require_relative "katsu/render_options"
require_relative "katsu/array_serializer"
require_relative "katsu/document"
require_relative "katsu/response"
require_relative "katsu/configuration"
require_relative "katsu/query"
require_relative "katsu/caching"
require_relative "katsu/entity_tag"
require_relative "katsu/envelope"
require_relative "katsu/pagination"
require_relative "katsu/shadow"
require_relative "katsu/rails/railtie" if defined?(Rails::Railtie)
