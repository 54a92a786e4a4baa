# frozen_string_literal: true

# What bin/bench endpoint asks: an action for each serializer, which renders the first posts of a SQLite file.
require "rails"
require "action_controller/railtie"
require "active_record/railtie"
require "katsu"
require_relative "../harness"
require_relative "../blog"
require_relative "../peers"

Benchmarks::Peers.load
Alba.backend = :json # with json 3 it is the faster one

# Each as a controller of an application would call it.
class PostsController < ActionController::API
  include Benchmarks

  COLUMNS = {only: %i[id body title author_id created_at]}.freeze

  before_action { @posts = Blog::Post.order(:id).limit(Integer(params[:size])) }

  def katsu = render(json: @posts, each_serializer: Blog::KATSU::Simple)
  def panko = render(json: Panko::ArraySerializer.new(@posts, each_serializer: Blog::PANKO::Simple).to_json)
  def alba = render(json: Peers::Alba::Simple.new(@posts).serialize)
  def blueprinter = render(json: Peers::Blueprinter::Simple.render(@posts))
  def oj_serializers = render(json: Peers::OjSerializers::SimpleSerializer.many_as_json(@posts).to_json)
  def to_json_of_rails = render(json: @posts.as_json(COLUMNS))

  def jbuilder
    json = Jbuilder.encode do |array|
      array.array!(@posts) { |post| array.extract!(post, *COLUMNS[:only]) }
    end
    render json: json
  end
end

class EndpointApplication < Rails::Application
  config.load_defaults Rails.version[/\A\d+\.\d+/]
  config.eager_load = true
  config.secret_key_base = "katsu"
  config.logger = Logger.new(nil, level: :warn)
  config.log_level = :warn
  config.katsu.inspector = false
end
ENV["DATABASE_URL"] = "sqlite3:#{ENV.fetch("KATSU_ENDPOINT_DATABASE")}"
EndpointApplication.initialize!
EndpointApplication.routes.draw { get "/:action/:size", controller: "posts" }
Benchmarks::Blog.prepare(2300, database: ENV.fetch("KATSU_ENDPOINT_DATABASE"))

run Rails.application
