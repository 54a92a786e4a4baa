# frozen_string_literal: true

require "support/test_case"
require "json"
require "net/http"
require "securerandom"
require_relative "server"

# The base of the tests of the application under Puma.
class HttpTestCase < TestCase
  Answer = Struct.new(:status, :body, :headers, :id) do
    def json = JSON.parse(body)
  end

  class << self
    # What Rails itself writes of the rows.
    def reference = @reference ||= HttpTestCase.new(nil).get("/reference").json
  end

  def server = Server.of("production")

  # The answer to a GET. connection: a Net::HTTP that is kept open; without it there is one for this request.
  def get(path, headers: {}, connection: nil, **query)
    path += "?#{URI.encode_www_form(query)}" unless query.empty?
    id = SecureRandom.hex(8)
    request = Net::HTTP::Get.new(path, {"X-Request-Id" => id, **headers})
    answered(id, connection ? connection.request(request) : connect { |http| http.request(request) })
  end

  def post(path, values)
    id = SecureRandom.hex(8)
    request = Net::HTTP::Post.new(path, {"X-Request-Id" => id})
    request.form_data = values
    answered(id, connect { |http| http.request(request) })
  end

  def connect(&block)
    Net::HTTP.start("127.0.0.1", server.port, read_timeout: 30, &block)
  end

  # The posts as Rails writes them, with these keys. Rails leaves out an author who is nil.
  def posts(*keys)
    HttpTestCase.reference["posts"].map { |post| keys.to_h { |key| [key.name, post[key.name]] } }
  end

  COLUMNS = %i[id title views price draft published_on data created_at].freeze

  # The keys of PostSerializer, and of its view :full.
  def short = posts(*COLUMNS, :author)
  def full = posts(*COLUMNS, :body, :author, :comments, :tags)

  # The header that says who asks.
  def as_author(name) = name ? {"X-Author" => URI.encode_www_form_component(name)} : {}

  private

  def answered(id, response)
    Answer.new(Integer(response.code), response.body&.dup&.force_encoding("UTF-8"), response, id)
  end
end
