# frozen_string_literal: true

require_relative "test_application"
require "open3"
require "rbconfig"
require "tmpdir"

# What rails generate writes in an application of its own.
class GeneratorsTest < RailsTestCase
  # An application with two models that refer to each other. ARGV: its folder, the generator and its arguments.
  APPLICATION = <<~RUBY
    require "rails"
    require "active_record/railtie"
    require "action_controller/railtie"
    require "katsu/rails"
    folder = ARGV.shift
    class Generated < Rails::Application
      config.eager_load = false
      config.secret_key_base = "katsu"
      config.logger = Logger.new(nil)
      config.load_defaults Rails.version[/\\A\\d+\\.\\d+/]
    end
    Generated.config.root = folder
    Generated.initialize!
    ActiveRecord::Schema.verbose = false
    ActiveRecord::Schema.define do
      create_table(:writers) { |t| t.string :name }
      create_table(:books) { |t| t.string :title; t.references :writer; t.references :book }
    end
    class Writer < ActiveRecord::Base
      has_many :books
    end
    class Book < ActiveRecord::Base
      belongs_to :writer
      belongs_to :book
    end
    Rails.application.load_generators
    calls = ARGV.slice_when { |_, word| word == "," }.map { |words| words - [","] }
    calls.each do |name, *arguments|
      Rails::Generators.invoke(name, arguments, behavior: :invoke, destination_root: folder)
      Dir[File.join(folder, "app/serializers/*.rb")].each { |file| load file }
    end
    p JSON.parse(BookSerializer.many(Book.all).to_json) if defined?(BookSerializer)
  RUBY

  FILES = {
    "config/routes.rb" => "Rails.application.routes.draw do\nend\n",
    "config/database.yml" => %(development: {adapter: sqlite3, database: ":memory:"}\n)
  }.freeze

  # Yields the files by their paths in the application, and what was printed.
  def generate(*words)
    Dir.mktmpdir do |folder|
      FileUtils.mkdir_p(File.join(folder, "config"))
      FILES.each { |path, text| File.write(File.join(folder, path), text) }
      output, status = Open3.capture2e({"RAILS_ENV" => "development"}, RbConfig.ruby, "-W0",
                                       "-I", File.expand_path("../../lib", __dir__), "-e", APPLICATION, folder, *words)
      assert_predicate status, :success?, output
      files = Dir[File.join(folder, "**/*.rb")].to_h { |file| [file.delete_prefix("#{folder}/"), File.read(file)] }
      yield files, output
    end
  end

  # Rails' own generators ask for the ORM when they are loaded.
  def test_models_and_scaffolds
    generate("model", "story", "title", "--skip-test-framework") do |files, _|
      assert_includes files.keys, "app/models/story.rb"
      assert(files.keys.any? { |file| file.match?(%r{\Adb/migrate/\d+_create_stories\.rb\z}) })
    end
    generate("scaffold", "story", "title", "--skip-test-framework") do |files, _|
      assert_equal %w[app/models/story.rb app/serializers/story_serializer.rb],
                   files.keys.grep(%r{\Aapp/(models|serializers)/}).sort
    end
  end

  def test_serializers_that_would_lead_back
    words = %w[katsu:serializer Writer , katsu:serializer Book , katsu:serializer Writer --force]
    generate(*words) do |files, output|
      writer, book = %w[writer book].map { |name| files["app/serializers/#{name}_serializer.rb"].lines(chomp: true) }
      assert_includes writer, '  # has_many :books, serializer: "BookSerializer"'
      assert_includes book, '  has_one :writer, serializer: "WriterSerializer"'
      assert_includes book, '  # has_one :book, serializer: "BookSerializer"'
      assert_includes output, "[]"
    end
  end

  def test_a_model_that_is_not_there
    generate("katsu:serializer", "Nope") do |files, output|
      assert_includes output, "There is no model Nope with a table: :id only is written"
      assert_includes files["app/serializers/nope_serializer.rb"], "attributes :id\n"
    end
  end
end
