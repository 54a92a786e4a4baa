# frozen_string_literal: true

require_relative "test_application"
require "tmpdir"
require "generators/katsu/serializer/serializer_generator"

ActiveRecord::Schema.define do
  create_table(:patients) { |t| t.string :name, :illness, :mail, :phone, :born }
  create_table(:members) do |t|
    t.string :name, :password_digest, :reset_token
    t.references :mentor
  end
end

class Member < ActiveRecord::Base
  belongs_to :mentor, class_name: "Member"
  belongs_to :owner, polymorphic: true
  has_many :posts, foreign_key: :author_id
  has_many :comments, through: :posts
end

class Patient < ActiveRecord::Base
  encrypts :illness
  self.filter_attributes = [:mail]
end

# An engine. Its serializer of members leads back to that of books, which is not there yet.
module Books
  def self.table_name_prefix = ""

  class Member < ActiveRecord::Base
    self.table_name = "members"
  end

  class Page < ActiveRecord::Base
    self.table_name = "comments"
  end

  class Book < ActiveRecord::Base
    self.table_name = "posts"
    belongs_to :member, foreign_key: :author_id
    has_many :pages, foreign_key: :post_id
  end

  class MemberSerializer < Katsu::Serializer
    has_many :books
  end

  class PageSerializer < Katsu::Serializer
    attributes :body
  end
end

# rails generate katsu:serializer
class GeneratorTest < RailsTestCase
  def setup
    @folder = Dir.mktmpdir
  end

  def teardown
    FileUtils.rm_rf(@folder)
  end

  def generate(*arguments)
    capture_io { Rails::Generators.invoke("katsu:serializer", arguments, behavior: :invoke, destination_root: @folder) }
  end

  def written(path) = File.read(File.join(@folder, path))

  # The serializer of members is not there yet.
  def test_a_model
    Object.const_set(:PostSerializer, Class.new(Katsu::Serializer))
    generate("Member")
    assert_equal <<~RUBY, written("app/serializers/member_serializer.rb")
      # frozen_string_literal: true

      class MemberSerializer < Katsu::Serializer
        attributes :id, :name, :mentor_id
        # Left out: password_digest, reset_token
        # has_one :mentor, serializer: "MemberSerializer"
        # has_one :owner, serializer: {"Post" => "PostSerializer"}
        has_many :posts, serializer: "PostSerializer"
        # has_many :comments, serializer: "CommentSerializer"
      end
    RUBY
  ensure
    Object.send(:remove_const, :PostSerializer)
  end

  def test_the_test_passes
    generate("Member")
    eval(written("app/serializers/member_serializer.rb"), TOPLEVEL_BINDING)
    body = written("test/serializers/member_serializer_test.rb")
    assert_includes body, "class MemberSerializerTest < ActiveSupport::TestCase"
    keys = body[/assert_equal (\[.*?\]), MemberSerializer\.new\.serialize\(Member\.new\)\.keys/, 1]
    assert_equal eval(keys), MemberSerializer.new.serialize(Member.new).keys
  ensure
    Object.send(:remove_const, :MemberSerializer)
  end

  def test_names
    generate("Member", "id", "name")
    assert_includes written("app/serializers/member_serializer.rb"), "  attributes :id, :name\nend\n"
    refute_includes written("app/serializers/member_serializer.rb"), "has_"
  end

  # The names of a model may be copied from the line that generates it.
  def test_names_with_types
    generate("Member", "id:integer", "name:string:uniq", "mentor:references", "posts",
             "owner:belongs_to{polymorphic}")
    assert_equal <<~RUBY, written("app/serializers/member_serializer.rb").lines.drop(2).join
      class MemberSerializer < Katsu::Serializer
        attributes :id, :name
        # has_one :mentor, serializer: "MemberSerializer"
        # has_many :posts, serializer: "PostSerializer"
        # has_one :owner, serializer: {"Post" => "PostSerializer"}
      end
    RUBY
  end

  def test_names_that_the_model_lacks
    output, = generate("Member", "id", "nane:string", "inspect", "zzzzz", "mentr:references")
    assert_includes output, "Member has no nane. Did you mean name?\n"
    assert_includes output, "Member has no zzzzz.\n"
    assert_includes output, "Member has no mentr. Did you mean mentor?\n"
    assert_equal 3, output.scan("has no").size
    assert_includes written("app/serializers/member_serializer.rb"), "attributes :id, :nane, :inspect, :zzzzz\n"
  end

  def test_serializers_in_the_namespace_of_the_model
    expected = <<~RUBY
      attributes :id
      # has_one :member, serializer: "MemberSerializer"
      has_many :pages, serializer: "PageSerializer"
    RUBY
    names = %w[id member:references pages]
    generate("books/book", *names)
    text = written("app/serializers/books/book_serializer.rb")
    assert_includes text, "class Books::BookSerializer < Katsu::Serializer\n#{expected.gsub(/^/, "  ")}end\n"
    Rails::Generators.namespace = Books
    generate("book", *names, "--force")
    text = written("app/serializers/books/book_serializer.rb")
    assert_includes text, "  class BookSerializer < Katsu::Serializer\n#{expected.gsub(/^/, "    ")}  end\n"
    assert_includes written("test/serializers/books/book_serializer_test.rb"), '["id", "pages"]'
  ensure
    Rails::Generators.namespace = nil
  end

  def test_a_plural_name
    generate("members", "id")
    assert_includes written("app/serializers/member_serializer.rb"), "class MemberSerializer < Katsu::Serializer"
    generate("Things", "id", "--force-plural")
    assert_includes written("app/serializers/things_serializer.rb"), "class ThingsSerializer < Katsu::Serializer"
  end

  # What the model encrypts, and what it and the application keep out of logs.
  def test_what_is_kept_out_of_logs
    filters = Rails.application.config.filter_parameters
    filters.push(:pho, ->(key, value) { value.replace("") if key == "born" })
    generate("Patient")
    text = written("app/serializers/patient_serializer.rb")
    assert_includes text, "  attributes :id, :name\n  # Left out: illness, mail, phone, born\n"
    generate("Patient", "phone", "--force")
    assert_includes written("app/serializers/patient_serializer.rb"), "  attributes :phone\nend"
  ensure
    filters.pop(2)
  end

  def test_without_a_model
    generate("Admin::Thing")
    assert_includes written("app/serializers/admin/thing_serializer.rb"),
                    "class Admin::ThingSerializer < Katsu::Serializer\n  attributes :id\nend"
  end

  def test_rspec_and_a_serializer_of_the_application
    FileUtils.mkdir_p([File.join(@folder, "spec"), File.join(@folder, "app/serializers")])
    File.write(File.join(@folder, "app/serializers/application_serializer.rb"), "")
    generate("Member")
    assert_includes written("app/serializers/member_serializer.rb"), "class MemberSerializer < ApplicationSerializer"
    assert_includes written("spec/serializers/member_serializer_spec.rb"), "RSpec.describe MemberSerializer do"
  end
end
