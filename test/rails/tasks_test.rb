# frozen_string_literal: true

require_relative "test_application"
require "rake"
require "open3"
require "rbconfig"
require "active_support/cache"

# rails katsu:explain, rails generate scaffold, and classes that are loaded again.
class TasksTest < RailsTestCase
  class AuthorSerializer < Katsu::Serializer
    attributes :id
    view(:named) { attributes :name }
  end

  class ThingSerializer < Katsu::Serializer
    attributes :id
  end

  # The text that the task prints.
  def explained(*arguments)
    Rake::Task.clear
    Rake::Task.define_task(:environment)
    Rails.application.load_tasks
    capture_io { Rake::Task["katsu:explain"].invoke(*arguments) }.first
  end

  def test_explain
    text = explained("TasksTest::AuthorSerializer")
    assert_match(/\ATasksTest::AuthorSerializer of a relation of Author: from rows/, text)
    assert_match(/^ +id +/, text)
    refute_match(/^ +name +/, text)
    assert_match(/^ +name +/, explained("TasksTest::AuthorSerializer", "Author", "named"))
  end

  def test_explain_of_what_is_not_there
    {[] => /which serializer\? rails 'katsu:explain\[PostSerializer\]'/,
     ["TasksTest::AuthorSerialiser"] => /no serializer .*Did you mean TasksTest::AuthorSerializer\?/,
     ["TasksTest::ThingSerializer"] => /no model TasksTest::Thing or Thing; name it: rails 'katsu:explain\[TasksT/,
     ["TasksTest::AuthorSerializer", "Authr"] => /there is no model Authr/,
     ["TasksTest::AuthorSerializer", nil, "namd"] => /has no view "namd".*Did you mean named\?/}
      .each do |arguments, message|
        assert_match message, assert_raises(ArgumentError) { explained(*arguments) }.message
      end
  end

  # What rails generate writes below folder, as paths.
  def generated(name, *arguments, behavior: :invoke)
    Rails.application.load_generators
    capture_io { Rails::Generators.invoke(name, arguments, behavior: behavior, destination_root: @folder) }
    Dir.chdir(@folder) { Dir["**/*_serializer*.rb"].sort }
  end

  def test_scaffold_and_resource
    Dir.mktmpdir do |folder|
      @folder = folder
      FileUtils.mkdir_p(["#{folder}/config", "#{folder}/app/controllers"])
      File.write("#{folder}/config/routes.rb", "Rails.application.routes.draw do\nend\n")
      fields = %w[title:string body:text writer:references secret:digest]
      assert_equal %w[app/serializers/story_serializer.rb test/serializers/story_serializer_test.rb],
                   generated("scaffold", "Story", *fields, "--orm=false", "--skip-test-framework")
      assert_equal <<~RUBY, File.read("#{folder}/app/serializers/story_serializer.rb")
        # frozen_string_literal: true

        class StorySerializer < Katsu::Serializer
          attributes :id, :title, :body, :created_at, :updated_at
          # has_one :writer, serializer: "WriterSerializer"
        end
      RUBY
      assert_empty generated("scaffold", "Story", *fields, "--orm=false", behavior: :revoke)
      assert_empty generated("resource", "Story", *fields, "--orm=false", "--skip-katsu")
      assert_equal 2, generated("resource", "Story", *fields, "--orm=false").size
    end
  end

  # A serializer, its association's and a model, as one version of a file has them.
  def load_version(name)
    Object.const_set(:ReloadedAuthor, Class.new(ActiveRecord::Base) { self.table_name = "authors" })
    Object.const_set(:ReloadedNameSerializer, Class.new(Katsu::Serializer) { attribute(:name) { name } })
    Object.const_set(:ReloadedSerializer, Class.new(Katsu::Serializer) do
      cache store: ActiveSupport::Cache::MemoryStore.new
      attributes :id
      has_one(:it, serializer: "ReloadedNameSerializer", needs: [:id]) { |author| author }
    end)
  end

  def unload
    %i[ReloadedAuthor ReloadedNameSerializer ReloadedSerializer].each { |name| Object.send(:remove_const, name) }
  end

  def write_in_all_ways(id)
    relation = ReloadedAuthor.where(id: id)
    by_class = {ReloadedAuthor => ReloadedSerializer}
    [ReloadedSerializer.many(relation).to_json, ReloadedSerializer.one(relation).to_json,
     Katsu::ArraySerializer.new(relation, each_serializer: by_class).to_json,
     ReloadedNameSerializer.many(relation).to_json]
  end

  def test_classes_that_are_loaded_again
    id = Author.create!(name: "Ada").id
    3.times do |version|
      load_version("v#{version}")
      one = %({"id":#{id},"it":{"name":"v#{version}"}})
      assert_equal ["[#{one}]", one, "[#{one}]", %([{"name":"v#{version}"}])], write_in_all_ways(id)
      Katsu::Rails::Reloading.forget
      unload
    end
  ensure
    Author.where(id: id).delete_all # the table is other tests' too
  end

  # Objects that the machine's stack still seems to hold may stay.
  def test_classes_of_before_are_not_kept
    skip "before Ruby 3.2 the native backend keeps the last 64 classes of which it has read a variable" if
      native? && RUBY_VERSION < "3.2"

    command = [RbConfig.ruby, "--disable-jit", "-I", File.expand_path("../../lib", __dir__),
               File.join(__dir__, "reloading.rb"), "20"]
    output, status = Open3.capture2e(*command)
    assert_predicate status, :success?, output
    assert_match(/\A\d of 40 alive$/, output.lines.last)
  end
end
