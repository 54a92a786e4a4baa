# frozen_string_literal: true

require_relative "inspector/markup"
require_relative "inspector/stylesheet"
require_relative "inspector/subject"
require_relative "inspector/page"
require_relative "inspector/list_page"
require_relative "inspector/serializer_page"

module Katsu
  module Rails
    # The page at /katsu in development: the serializers of the application, how their fields are read, the JSON of a
    # first record, and which fields take the longest. A Rack application; the Railtie mounts it in development, and
    # routes can mount it elsewhere:
    #
    #   authenticate(:admin) { mount Katsu::Rails::Inspector => "/katsu" }
    #
    # It shows rows of the database to everyone who can reach it. It takes no input but names of serializers and views.
    module Inspector
      # Nothing on the page comes from elsewhere, and no script runs.
      POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; " \
               "frame-ancestors 'none'"
      HEADERS = {"content-type" => "text/html; charset=utf-8", "cache-control" => "no-store",
                 "content-security-policy" => POLICY, "x-content-type-options" => "nosniff"}.freeze
      private_constant :POLICY, :HEADERS

      class << self
        # A Rack response to a GET of the list or of a serializer's page.
        def call(env)
          return answer(405, "only GET and HEAD", env, "allow" => "GET, HEAD") unless reading?(env)

          name = ::Rack::Utils.unescape_path(env["PATH_INFO"].to_s).delete_prefix("/")
          return answer(200, ListPage.new(env["SCRIPT_NAME"]).html, env) if name.empty?

          serializer = Subject.serializers.find { |one| one.name == name }
          page = serializer && of_serializer(serializer, env)
          page ? answer(200, page, env) : answer(404, ListPage.new(env["SCRIPT_NAME"], unknown: name).html, env)
        end

        private

        def reading?(env) = %w[GET HEAD].include?(env["REQUEST_METHOD"])

        # nil if there is no such view.
        def of_serializer(serializer, env)
          query = ::Rack::Utils.parse_query(env["QUERY_STRING"].to_s)
          view = serializer.description.views.keys.find { |name| name.name == query["view"] }
          return if query.key?("view") && view.nil?

          SerializerPage.new(env["SCRIPT_NAME"], Subject.new(serializer, view), timed: query.key?("times")).html
        end

        def answer(status, text, env, headers = {})
          [status, {**HEADERS, **headers}, env["REQUEST_METHOD"] == "HEAD" ? [] : [text]]
        end
      end
    end
  end
end
