# frozen_string_literal: true

require_relative "test_application"

# The ETag of Katsu's bodies, compared with the one that Rack::ETag gives to the same text.
class BodyTagTest < RailsTestCase
  class NameSerializer < Katsu::Serializer
    attributes :name
  end

  # Each action answers with the document, or with its text, which is nothing to Katsu.
  class DocumentsController < ActionController::API
    after_action(only: :changed) { response.body = response.body.sub("Ada", "Eve") }
    after_action(only: :changed_in_place) { response_body[0].sub!("Ada", "Eve") }

    def plain = render(json: given)
    def by_serializer = render(**text? ? {json: given} : {json: authors, each_serializer: NameSerializer})
    def in_hash = render(json: text? ? %({"names":#{given}}) : {names: document})
    def created = render(json: given, status: :created)
    def missing = render(json: given, status: :not_found)
    def empty = render(json: given, status: :no_content)
    def changed = render(json: given)
    def changed_in_place = render(json: given)
    def twice = render(json: render_to_string(json: given))
    def called = render(json: given, callback: "call")

    def kept
      expires_in 60, public: true
      render json: given
    end

    def not_stored
      response.headers["Cache-Control"] = "no-store"
      render json: given
    end

    def tagged
      response.strong_etag = "own"
      render json: given
    end

    def dated
      response.last_modified = Time.utc(2026)
      render json: given
    end

    private

    def text? = params[:text].present?
    def authors = Author.order(:id)
    def document = NameSerializer.many(authors)
    def given = text? ? document.to_json : document
  end

  class WrappedController < DocumentsController
    Wrapper = Struct.new(:app) do
      def call(env) = app.call(env).tap { |_, _, body| body.each { |part| part.sub!("Ada", "Eve") } }
    end
    use Wrapper
  end

  # How often Rack::ETag has read a body.
  module Counted
    class << self
      attr_accessor :times
    end
    self.times = 0

    private

    def digest_body(body)
      Counted.times += 1
      super
    end
  end
  Rack::ETag.prepend(Counted)

  ACTIONS = DocumentsController.action_methods.to_a.freeze
  # Left to Rack::ETag: what is not Katsu's body any more.
  OTHERS = %w[changed].freeze
  WITHOUT = %w[missing empty].freeze
  OWN = %w[tagged dated].freeze

  # Beside the routes that are there.
  def self.draw(routes)
    routes.disable_clear_and_finalize = true
    routes.draw do
      %w[documents wrapped].product(ACTIONS) do |name, action|
        get "/#{name}/#{action}", to: "body_tag_test/#{name}##{action}"
      end
    end
  ensure
    routes.disable_clear_and_finalize = false
  end
  draw(Rails.application.routes)

  def setup
    Counted.times = 0
    Author.create!(id: 1, name: "Ada")
    Author.create!(id: 2, name: "Bén")
  end

  def teardown
    Author.delete_all
  end

  # [status, headers, body] of the whole application.
  def visit(path, headers = {})
    status, answered, text = answer(Rails.application, path, headers)
    [status, answered.to_h.transform_keys(&:downcase).except("x-request-id", "x-runtime"), text]
  end

  def tag_of(text) = %(W/"#{Digest::SHA256.hexdigest(text)[0, 32]}")

  def test_an_answer_is_that_of_the_text
    ACTIONS.each do |action|
      [{}, {method: "HEAD"}].each do |how|
        assert_equal visit("/documents/#{action}?text=1", how), visit("/documents/#{action}", how), action
      end
    end
  end

  def test_the_tag
    (ACTIONS - WITHOUT - OWN).each do |action|
      status, headers, text = visit("/documents/#{action}")
      assert_equal [tag_of(text), true], [headers["etag"], [200, 201].include?(status)], action
      assert_equal 304, visit("/documents/#{action}", "HTTP_IF_NONE_MATCH" => headers["etag"])[0] if status == 200
    end
  end

  def test_bodies_are_not_read_twice
    counts = ACTIONS.to_h do |action|
      Counted.times = 0
      visit("/documents/#{action}")
      [action, Counted.times]
    end
    assert_equal OTHERS.sort, counts.select { |_, times| times.positive? }.keys.sort
  end

  def test_a_controller_with_middleware_of_its_own
    _, headers, text = visit("/wrapped/plain")
    assert_equal '[{"name":"Eve"},{"name":"Bén"}]'.b, text.b
    assert_equal [tag_of(text), 1], [headers["etag"], Counted.times]
  end

  # Behind Rack::ETag there may be what changes bodies.
  def test_the_application_with_middleware_that_is_not_known
    middlewares = Rails.application.config.middleware.middlewares
    added = middlewares + [ActionDispatch::MiddlewareStack::Middleware.new(WrappedController::Wrapper, [], nil)]
    Rails.application.config.middleware.middlewares = added
    visit("/documents/plain")
    assert_equal 1, Counted.times
    Rails.application.config.middleware.middlewares = middlewares.reject { |one| one.klass == Rack::ETag }
    visit("/documents/plain")
    assert_equal 2, Counted.times
  ensure
    Rails.application.config.middleware.middlewares = middlewares
  end

  # No middleware is there that asks for a tag.
  def test_an_action_without_the_application
    document = NameSerializer.many(Author.order(:id))
    status, headers, text = request(controller { render json: document })
    assert_equal [200, nil, document.to_json], [status, headers["etag"] || headers["ETag"], text]
  end
end
