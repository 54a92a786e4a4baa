# frozen_string_literal: true

require "support/test_case"
require "support/prism"

# Whole classes: heredocs, block arguments, classes within each other, what other classes define.
class MigrateTextsTest < TestCase
  include NeedsPrism

  def assert_text(after, before)
    text = Katsu::Migrate.text(before)
    assert_equal after, text
    assert_empty Prism.parse(text).errors
  end

  def test_a_heredoc_within_the_lines_of_a_call_stays_as_a_comment
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: a heredoc in its lines is not carried over
        # field :a,
        #   default: <<~T,
        #     Hello.
        #   T
        #   name: :b
        attribute :c, name: :d, default: <<~T
          last
        T
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        field :a,
          default: <<~T,
            Hello.
          T
          name: :b
        field :c, name: :d, default: <<~T
          last
        T
      end
    BEFORE
  end

  def test_the_heredoc_of_an_option_that_is_left_out_is_no_code
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: documentation: <<~T has no counterpart
        attribute :a
        #   exit 3
        # T
        attribute :b
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        field :a, documentation: <<~T
          exit 3
        T
        field :b
      end
    BEFORE
  end

  def test_block_arguments_come_last
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attribute :name, name: :title, &:display_name
        attribute :id, &:itself
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        field :name, name: :title, &:display_name
        field :id, &:itself
      end
    BEFORE
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attribute :draft, if: :admin?, &:draft?
      end
    AFTER
      class PostResource
        include Alba::Resource
        attribute :draft, if: :admin?, &:draft?
      end
    BEFORE
  end

  # ActiveModelSerializers gives blocks the serializer.
  def test_block_arguments_that_call_the_serializer
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attribute(:a, name: :b) { shout }
        has_many(:comments, if: :comments?) { |_object| recent }
        # katsu migrate: &method(:c) has no counterpart
        # attribute :c, &method(:c)
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        attribute :a, key: :b, &:shout
        has_many :comments, if: :comments?, &:recent
        attribute :c, &method(:c)
      end
    BEFORE
  end

  def test_a_class_within_a_class
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        class InnerSerializer < Katsu::Serializer
          attribute(:q) { foo(instance_options: context) }
        end
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        class Inner < ActiveModel::Serializer
          attribute(:q) { foo(instance_options:) }
        end
      end
    BEFORE
  end

  def test_names_of_other_modules
    assert_text <<~AFTER, <<~BEFORE
      module V1
        class UserSerializer < Katsu::Serializer
          attributes :role, :data
          def role = ::User::ROLES[object.role]
          def data = Katsu::Fragment.new(object.data)
        end
      end
    AFTER
      module V1
        class User < Panko::Serializer
          attributes :role, :data
          def role = ::User::ROLES[object.role]
          def data = ::Panko::JsonValue.from(object.data)
        end
      end
    BEFORE
  end

  def test_class_methods_of_a_parent
    assert_text <<~AFTER, <<~BEFORE
      class ApplicationSerializer < Katsu::Serializer
        def self.money(value) = format("%.2f", value)
      end
      class PostSerializer < ApplicationSerializer
        attribute(:price) { |post| self.class.money(post.price) }
      end
    AFTER
      class ApplicationBlueprint < Blueprinter::Base
        def self.money(value) = format("%.2f", value)
      end
      class PostBlueprint < ApplicationBlueprint
        field(:price) { |post| money(post.price) }
      end
    BEFORE
  end

  def test_views_that_each_blueprint_has
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        has_one :author, serializer: AuthorSerializer
        # katsu migrate: view: :identifier has no counterpart; name the field by only:
        has_one :editor, serializer: AuthorSerializer
        # katsu migrate: options[:view] has no counterpart
        attribute(:wide) { |_post, options| options[:view] == :wide }
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        association :author, blueprint: AuthorBlueprint, view: :default
        association :editor, blueprint: AuthorBlueprint, view: :identifier
        field(:wide) { |_post, options| options[:view] == :wide }
      end
    BEFORE
  end

  def test_serializers_that_are_rendered_within_another
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: render a serializer within another by one and many
        def author = AuthorSerializer.new(object.author, scope: scope).as_json
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        def author = AuthorSerializer.new(object.author, scope: scope).as_json
      end
    BEFORE
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: render a serializer within another by one and many
        def author = AuthorSerializer.one_as_hash(object.author)
      end
    AFTER
      class PostSerializer < Oj::Serializer
        def author = AuthorSerializer.one_as_hash(post.author)
      end
    BEFORE
  end

  # ActiveModelSerializers makes a serializer for each object.
  def test_variables_that_are_kept
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attributes :name
        def name = author[:name]
        # katsu migrate: @author, @all: one serializer is for all objects of a call, so this is the first one's
        private def author
          @author ||= object[:author]
          @all, one = [], 1
        end
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        attributes :name
        def name = author[:name]
        private def author
          @author ||= object[:author]
          @all, one = [], 1
        end
      end
    BEFORE
  end

  def test_methods_with_the_name_of_an_association
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        has_one :author, serializer: AuthorSerializer
        has_many :notes, serializer: NoteSerializer, except: [:id]
        # katsu migrate: Katsu calls author for its association; the gem does not
        def author = nil
      end
    AFTER
      class PostSerializer < Panko::Serializer
        has_one :author, serializer: AuthorSerializer, only: []
        has_many :notes, serializer: NoteSerializer, except: [:id]
        def author = nil
      end
    BEFORE
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: Alba's block gives the key and the value, Katsu's only the value
        # katsu migrate: an error of an association is raised all the same
        on_error { |error| ["x", 0] }
        has_many :tags, serializer: TagSerializer
        # katsu migrate: Katsu calls tags for its association; the gem does not
        def tags(post = object) = post.tags.first(1)
      end
    AFTER
      class PostResource
        include Alba::Resource
        on_error { |error| ["x", 0] }
        many :tags, resource: TagResource
        def tags(post) = post.tags.first(1)
      end
    BEFORE
  end

  def test_a_list_of_names
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        FIELDS = %i[id title].freeze
        attributes(*FIELDS)
        attributes(*%i[body draft])
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        FIELDS = %i[id title].freeze
        attributes FIELDS
        attributes %i[body draft]
      end
    BEFORE
  end

  def test_associations_of_a_parent
    assert_text <<~AFTER, <<~BEFORE
      class BaseCommentSerializer < Katsu::Serializer
        has_one :author
      end
      class CommentSerializer < BaseCommentSerializer
        attributes :body
      end
      class PostSerializer < Katsu::Serializer
        # katsu migrate: ActiveModelSerializers does not write author here; Katsu does without except: [:author]
        has_many :comments
      end
    AFTER
      class BaseCommentSerializer < ActiveModel::Serializer
        belongs_to :author
      end
      class CommentSerializer < BaseCommentSerializer
        attributes :body
      end
      class PostSerializer < ActiveModel::Serializer
        has_many :comments
      end
    BEFORE
  end

  def test_a_parameter_that_is_called_context
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attribute :a, if: ->(post) { context[:x] && post.draft }
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        field :a, if: ->(_name, post, context) { context[:x] && post.draft }
      end
    BEFORE
  end

  def test_private_methods_with_the_name_of_an_attribute
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attributes :status, :title
        def title = "own"

        private

        # katsu migrate: ActiveModelSerializers does not call status, as it is private, for its attribute; Katsu does
        def status = "private"
        def helper = 1
      end
    AFTER
      class PostSerializer < ActiveModel::Serializer
        attributes :status, :title
        def title = "own"

        private

        def status = "private"
        def helper = 1
      end
    BEFORE
  end

  def test_comments_within_a_call_go_above_it
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # the writer
        # not the editor
        has_one :author, serializer: AuthorSerializer # last
        # its own
        attributes :title
        attribute :id, type: :string, default: "" # as text
        has_many :notes do
          # in the block
          attributes :body
        end
      end
    AFTER
      class PostResource
        include Alba::Resource
        one :author, # the writer
            # not the editor
            resource: AuthorResource # last
        attributes :title, # its own
                   id: [String, true] # as text
        many(:notes) do
          # in the block
          attributes :body
        end
      end
    BEFORE
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # a
        attribute :title, name: :name, if: ->(post) { post.draft # b
        }
      end
    AFTER
      class PostBlueprint < Blueprinter::Base
        field :title,
              name: :name, # a
              if: ->(_name, post, _options) { post.draft # b
        }
      end
    BEFORE
  end

  def test_types_that_alba_converts_to
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: a: Alba makes true of 0, of "" and of any text; Katsu casts as ActiveModel does
        # katsu migrate: b: Alba raises an error for nil and for a text that is no number; Katsu writes null or 0
        attribute :a, type: :boolean, default: false
        attribute :b, type: :integer
        attribute :c, type: :string, default: ""
      end
    AFTER
      class PostResource
        include Alba::Resource
        attributes a: [:Boolean, true], b: [Integer, true], c: [:String, true]
      end
    BEFORE
  end

  def test_errors_of_associations_with_on_error
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        # katsu migrate: an error of an association is raised all the same
        on_error :null
        has_one :author, serializer: AuthorSerializer
      end
    AFTER
      class PostResource
        include Alba::Resource
        on_error :nullify
        one :author, resource: AuthorResource
      end
    BEFORE
  end

  def test_private_methods_that_are_given_the_object
    assert_text <<~AFTER, <<~BEFORE
      class PostSerializer < Katsu::Serializer
        attributes :words
        delegate :host, to: :context
        private def words(post = object) = post.body.split.size
      end
    AFTER
      class PostResource
        include Alba::Resource
        attributes :words
        delegate :host, to: :params
        private def words(post) = post.body.split.size
      end
    BEFORE
  end

  def test_methods_of_a_parent_with_the_name_of_an_attribute
    %w[Panko::Serializer Oj::Serializer].each do |gem|
      assert_text <<~AFTER, <<~BEFORE
        class BaseSerializer < Katsu::Serializer
          def title = "own"
          def state = "own"
        end
        class PostSerializer < BaseSerializer
          # katsu migrate: Katsu calls title, which a parent defines, for its attribute; the gem does not
          attributes :id, :title
        end
      AFTER
        class BaseSerializer < #{gem}
          def title = "own"
          def state = "own"
        end
        class PostSerializer < BaseSerializer
          attributes :id, :title
        end
      BEFORE
    end
  end
end
