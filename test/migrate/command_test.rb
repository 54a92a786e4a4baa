# frozen_string_literal: true

require "support/test_case"
require "support/prism"
require "stringio"
require "tmpdir"

# katsu migrate: which files it reads and writes, and what becomes of what has no counterpart.
class MigrateCommandTest < TestCase
  include NeedsPrism

  def setup
    super
    @folder = Dir.mktmpdir
  end

  def teardown
    FileUtils.remove_entry(@folder) if @folder
  end

  def run_command(*arguments)
    out = StringIO.new
    err = StringIO.new
    status = Katsu::Migrate::Command.new(arguments, out, err).run
    [status, out.string.gsub("#{@folder}/", ""), err.string.gsub("#{@folder}/", "")]
  end

  def write(name, text)
    path = File.join(@folder, name)
    FileUtils.mkdir_p(File.dirname(path))
    File.write(path, text)
    path
  end

  def read(name) = File.read(File.join(@folder, name))
  def files = Dir.glob("**/*", base: @folder).select { |name| File.file?(File.join(@folder, name)) }.sort

  # The parent may be a class of a file that is not read.
  def test_a_class_with_a_parent_and_the_module
    write("post_resource.rb", <<~RUBY)
      class PostResource < ApplicationResource
        include Alba::Resource

        attributes :id

        class LineResource
          include Alba::Resource

          attributes :no
        end
      end
    RUBY
    assert_equal 0, run_command("migrate", @folder).first
    assert_equal <<~RUBY, read("post_serializer.rb")
      class PostSerializer < ApplicationSerializer
        attributes :id

        class LineSerializer < Katsu::Serializer
          attributes :no
        end
      end
    RUBY
  end

  def test_new_files_stand_beside_the_old_ones
    old = write("resources/post_resource.rb", "class PostResource < BaseResource\n  attributes :id\nend\n")
    write("resources/base_resource.rb", "class BaseResource\n  include Alba::Resource\n\n  transform_keys :dash\nend\n")
    write("same/tag_serializer.rb", "class TagSerializer < ActiveModel::Serializer\n  type :tags\nend\n")
    write("model.rb", "class Post < ApplicationRecord\nend\n")
    before = File.read(old)
    status, out, err = run_command("migrate", @folder)
    assert_equal [0, "model.rb: no serializer of a gem that is known\n"], [status, err]
    assert_equal <<~TEXT, out
      resources/base_resource.rb -> resources/base_serializer.rb
      resources/post_resource.rb -> resources/post_serializer.rb
      same/tag_serializer.rb -> same/tag_serializer.rb.katsu
        not carried over: line 2: type is no word of Katsu's
    TEXT
    assert_equal before, File.read(old)
    assert_equal "class PostSerializer < BaseSerializer\n  attributes :id\nend\n", read("resources/post_serializer.rb")
    assert_equal "class BaseSerializer < Katsu::Serializer\n  transform_keys :dash\nend\n",
                 read("resources/base_serializer.rb")
    assert_equal 7, files.size
  end

  def test_files_are_overwritten_only_by_force
    write("post_resource.rb", "class PostResource\n  include Alba::Resource\nend\n")
    write("post_serializer.rb", "mine")
    path = File.join(@folder, "post_resource.rb")
    assert_equal [1, "", "post_resource.rb: post_serializer.rb exists; --force writes over it\n"],
                 run_command("migrate", path)
    assert_equal "mine", read("post_serializer.rb")
    assert_equal 0, run_command("migrate", "--force", path).first
    assert_equal "class PostSerializer < Katsu::Serializer\nend\n", read("post_serializer.rb")
  end

  def test_stdout
    path = write("post_resource.rb", "class PostResource\n  include Alba::Resource\nend\n")
    assert_equal [0, "# post_serializer.rb\nclass PostSerializer < Katsu::Serializer\nend\n", ""],
                 run_command("migrate", "--stdout", path)
    assert_equal ["post_resource.rb"], files
  end

  def test_files_that_cannot_be_read
    write("broken.rb", "class A\n")
    status, out, err = run_command("migrate", File.join(@folder, "broken.rb"), File.join(@folder, "none.rb"))
    assert_equal [1, ""], [status, out]
    assert_match(/\Abroken\.rb: broken\.rb:\d+: .+\nnone\.rb: No such file/, err)
  end

  # Those after them are translated.
  def test_files_in_other_encodings
    resource = "class %sResource\n  include Alba::Resource\n  attribute(:x) { \"%s\" }\nend\n"
    latin = write("a_resource.rb", "# encoding: iso-8859-1\n" + format(resource, "A", "\xE9"))
    binary = write("b_resource.rb", format(resource, "B", "\xE9"))
    same = write("c_resource.rb", "# encoding: iso-8859-1\n" + format(resource, "C", "e"))
    last = write("d_resource.rb", format(resource, "D", "\u00E9"))
    status, out, err = run_command("migrate", latin, binary, same, last)
    assert_equal [1, %w[c_serializer.rb d_serializer.rb]], [status, out.lines.map { |line| line.split.last }]
    assert_equal "a_resource.rb: it is not in UTF-8; convert it first", err.lines.first.chomp
    assert_match(/\Ab_resource\.rb: .*(not in UTF-8|invalid)/, err.lines[1])
    assert_equal 2, err.lines.size
  end

  def test_other_arguments
    [%w[migrat x], %w[migrate], %w[migrate --stout x], %w[--force]].each do |arguments|
      status, out, err = run_command(*arguments)
      assert_equal [2, ""], [status, out], arguments
      assert_match(/\Ausage: katsu migrate/, err)
    end
    assert_equal [0, ""], run_command("--help").values_at(0, 2)
  end

  # Alba's transform_keys is for the root, too.
  def test_roots_that_are_transformed
    {
      ["root_key :blog_post, :blog_posts", "transform_keys :camel"] => "root :BlogPost, :BlogPosts",
      ["root_key :post", "transform_keys :camel, root: true"] => "root :Post, false",
      ["root_key 'blog_post_2', :post", "transform_keys :lower_camel"] => "root :blogPost2, :post",
      ["root_key :blog_post", "transform_keys :dash"] => 'root :"blog-post", false',
      ["root_key :blog_post", "transform_keys :none"] => "root :blog_post, false",
      ["root_key :blog_post", "transform_keys :camel, root: false"] => "root :blog_post, false",
      ["root_key KEY, :blog_posts", "transform_keys :lower_camel"] =>
        "# katsu migrate: transform_keys is for KEY, too; root is written as it is given\n  root KEY, :blogPosts",
      ["root_key :blogPost", "transform_keys :dash"] =>
        "# katsu migrate: transform_keys is for :blogPost, too; root is written as it is given\n  root :blogPost, false"
    }.each do |(root, transform), expected|
      kind = transform[/transform_keys :\w+/]
      [[root, transform], [transform, root]].each do |lines|
        text = Katsu::Migrate.text("class PostResource\n  include Alba::Resource\n  #{lines.join("\n  ")}\nend\n")
        new = lines.map { |line| line == root ? expected : kind }
        assert_equal "class PostSerializer < Katsu::Serializer\n  #{new.join("\n  ")}\nend\n", text
      end
    end
  end

  # Alba does not write keys of what is declared above, or with cascade: false.
  def test_keys_of_what_is_declared_in_place
    note = "  # katsu migrate: the keys of what is declared in place are written so, too\n"
    camel = "  transform_keys :lower_camel\n"
    many = "  has_many(:comments) { attributes :post_id }\n"
    nested = "  nested(:card) { attributes :author_id }\n"
    named = "  has_many :comments, serializer: CommentSerializer\n"
    {
      "#{camel}#{many}" => "#{camel}#{many}",
      "#{named}#{camel}" => "#{named}#{camel}",
      "#{many}#{camel}" => "#{many}#{note}#{camel}",
      "#{nested}#{camel}" => "#{nested}#{note}#{camel}",
      "  transform_keys :lower_camel, cascade: true\n#{many}" => "#{camel}#{many}",
      "  transform_keys :lower_camel, cascade: false\n#{many}" => "#{note}#{camel}#{many}",
      "  transform_keys :lower_camel, cascade: false\n#{named}" => "#{camel}#{named}"
    }.each do |before, after|
      text = resource(before.gsub("Serializer", "Resource"))
      assert_equal "class PostSerializer < Katsu::Serializer\n#{after}end\n", text
    end
  end

  # An exclude of Blueprinter's is for its whole view.
  def test_an_exclude_above_what_it_leaves_out
    note = "# katsu migrate: exclude is for what stands above it; " \
           "Blueprinter leaves out what stands below it, too\n    "
    {
      "exclude :a\n    include_view :b" => "#{note}exclude :a\n    include_view :b",
      "excludes :a, :b\n    field :c" => "#{note}exclude :a\n    exclude :b\n    attribute :c",
      "field :c\n    excludes :a, :b" => "attribute :c\n    exclude :a\n    exclude :b"
    }.each do |before, after|
      body = "  view :x do\n    #{before}\n  end\n"
      text = Katsu::Migrate.text("class PostBlueprint < Blueprinter::Base\n#{body}end\n")
      assert_equal "class PostSerializer < Katsu::Serializer\n  view :x do\n    #{after}\n  end\nend\n", text
    end
  end

  # Alba's words would take the place of Katsu's.
  def test_a_module_with_its_whole_name
    text = "class PostResource\n  include ::Alba::Resource\n\n  attributes :id\nend\n"
    assert_equal "class PostSerializer < Katsu::Serializer\n  attributes :id\nend\n", Katsu::Migrate.text(text)
  end

  # In Blueprinter self is the class in blocks and lambdas.
  def test_methods_of_the_class_that_blocks_call
    class_methods = <<~RUBY

        def self.shout(text) = text.upcase + mark
        class << self
          def mark = "!"
          def shown?(post) = post.draft
          def pick(post) = day(post.c)
          def day(one) = one
        end
      end
    RUBY
    before = <<~RUBY
      class PostBlueprint < Blueprinter::Base
        field(:a) { |post| shout(post.title) + mark + other }
        field :b, if: ->(_name, post, _options) { shown?(post) }, datetime_format: ->(at) { day(shout(at)) }
        view(:x) { association(:c, blueprint: CBlueprint) { |post| pick(post) } }
        association(:d, blueprint: DBlueprint) { |post, mark| mark; self.mark }
        association :e, blueprint: self
    RUBY
    after = <<~RUBY
      class PostSerializer < Katsu::Serializer
        attribute(:a) { |post| self.class.shout(post.title) + self.class.mark + other }
        attribute :b, format: ->(at) { self.class.day(self.class.shout(at)) }, if: ->(post) { self.class.shown?(post) }
        view(:x) { has_one(:c, serializer: CSerializer) { |post| self.class.pick(post) } }
        has_one(:d, serializer: DSerializer) { |post, mark| mark; self.class.mark }
        # katsu migrate: its blueprint is not a class
        # association :e, blueprint: self
    RUBY
    assert_equal after + class_methods, Katsu::Migrate.text(before + class_methods)
  end

  # Such words would keep the new class from being loaded.
  def test_words_that_stand_elsewhere
    {
      "exclude :a" => "# katsu migrate: exclude stands in a view\n  # exclude :a",
      "view(:x) { field :a }\n  excludes :a, :b" =>
        "view(:x) { attribute :a }\n  # katsu migrate: excludes stands in a view\n  # excludes :a, :b",
      "include_view :x" => "# katsu migrate: include_view stands in a view\n  # include_view :x",
      "include_views :x, :y" => "# katsu migrate: include_views stands in a view\n  # include_views :x, :y",
      "view :x do\n    transform LowerCamelTransformer\n  end" =>
        "view :x do\n    # katsu migrate: a transformer of keys is for the whole class, not for a view\n    " \
        "# transform LowerCamelTransformer\n  end"
    }.each do |before, after|
      text = Katsu::Migrate.text("class PostBlueprint < Blueprinter::Base\n  #{before}\nend\n")
      assert_equal "class PostSerializer < Katsu::Serializer\n  #{after}\nend\n", text
    end
  end

  # A view's own fields are those of Blueprinter, wherever they stand.
  def test_a_view_that_is_included_below_fields
    other = "view(:a) { fields :id, :title; field :body, name: :text }"
    {
      "field(:title) { 1 }\n    include_view :a" => "title",
      "field :title, name: :text\n    field :x\n    include_views :a" => "text",
      "field :body\n    include_view :a" => nil,
      "include_view :a\n    field(:title) { 1 }" => nil
    }.each do |body, replaced|
      text = "class PostBlueprint < Blueprinter::Base\n  #{other}\n  view :x do\n    #{body}\n  end\nend\n"
      text = Katsu::Migrate.text(text)
      note = "# katsu migrate: it replaces what is above: #{replaced}; Blueprinter keeps that\n    include_view :a\n"
      replaced ? assert_includes(text, note) : refute_includes(text, "katsu migrate")
    end
  end

  # params: in the place of params: params.
  def test_keys_without_a_value
    text = resource("  attribute(:a) { |a| b(params:, c:) }\n")
    assert_includes text, "attribute(:a) { |a| b(params: context, c:) }"
    text = Katsu::Migrate.text(migrated("def a = b(instance_options:)"))
    assert_includes text, "def a = b(instance_options: context)"
  end

  # ActiveModelSerializers writes the associations of the first level.
  def test_associations_of_associations
    write("a/comment_serializer.rb", "class CommentSerializer < ActiveModel::Serializer\n  belongs_to :post\n" \
                                     "  has_one :author, key: :by\nend\n")
    write("a/blog_post_serializer.rb", "class BlogPostSerializer < ActiveModel::Serializer\n  attributes :id\nend\n")
    ["has_many :comments", "has_one :top, serializer: A::CommentSerializer"].each do |association|
      write("a/post_serializer.rb", "class PostSerializer < ActiveModel::Serializer\n  #{association}\n" \
                                    "  has_many :blog_posts\n  has_many :tags\nend\n")
      run_command("migrate", "--force", @folder)
      assert_equal "class PostSerializer < Katsu::Serializer\n" \
                   "  # katsu migrate: ActiveModelSerializers does not write post, author here; " \
                   "Katsu does without except: [:post, :author]\n" \
                   "  #{association}\n  has_many :blog_posts\n  has_many :tags\nend\n",
                   read("a/post_serializer.rb.katsu")
    end
  end

  # The body of a trait has to be there to be translated.
  def test_blocks_that_stand_elsewhere
    %w[trait nested].each do |word|
      text = resource("  #{word} :a, &BODY\n")
      assert_includes text, "  # katsu migrate: its block is not here\n  # #{word} :a, &BODY\n"
    end
  end

  # The name of the scope in ActiveModelSerializers.
  def test_current_user
    note = "# katsu migrate: current_user: write scope, or define it: def current_user = scope\n  "
    {
      "attributes :id\n  def mine = current_user.id\n  def ours = current_user" =>
        "attributes :id\n  #{note}def mine = current_user.id\n  def ours = current_user",
      "attribute(:mine, key: :my) { current_user.id }" => "#{note}attribute(:mine, name: :my) { current_user.id }",
      "link(:a) { current_user }" =>
        "#{note}# katsu migrate: link is no word of Katsu's\n  # link(:a) { current_user }",
      "if current_user\n    LIMIT = 1\n  end" => "#{note}if current_user\n    LIMIT = 1\n  end"
    }.each { |before, after| assert_equal migrated(after, "Katsu"), Katsu::Migrate.text(migrated(before)) }
    ["def mine = current_user\n  def current_user = scope",
     "alias_method :current_user, :scope\n  def mine = current_user", "def mine = object.current_user",
     "def mine(current_user) = current_user", "def current_user_id = 1",
     "class Inner\n    def a = current_user\n  end"]
      .each { |body| assert_equal migrated(body, "Katsu"), Katsu::Migrate.text(migrated(body)) }
  end

  # What becomes of a class of Alba's with this body.
  def resource(body) = Katsu::Migrate.text("class PostResource\n  include Alba::Resource\n#{body}end\n")

  # A class of ActiveModelSerializers', or of Katsu's, with this body.
  def migrated(body, gem = "ActiveModel") = "class PostSerializer < #{gem}::Serializer\n  #{body}\nend\n"

  # Panko's rule of methods: what is declared above a method is its value.
  def test_methods_above_their_attributes
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class PostSerializer < Katsu::Serializer
        extend Words
        # katsu migrate: Katsu calls email for its attribute; Panko does not, as the attribute is declared below
        def email = "***"
        # katsu migrate: Katsu calls body for its attribute; Panko does not, as the attribute is declared below
        def body = "***"
        def self.title = 1
        attributes :id, :title, "email"
        aliases body: :text

        def title = 1
        def id = helper
        attributes :id

        private

        def helper = 1
      end
    NEW
      class PostSerializer < Panko::Serializer
        extend Words
        def email = "***"
        def body = "***"
        def self.title = 1
        attributes :id, :title, "email"
        aliases body: :text

        def title = 1
        def id = helper
        attributes :id

        private

        def helper = 1
      end
    OLD
  end

  # The object of oj_serializers has the names of the class and its parents, unless a method has that name.
  def test_names_of_the_object
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class HTTPSongSerializer < Katsu::Serializer
        object_id_of = [object]
        # katsu migrate: model: :Song has no counterpart
        def track = object
        attribute(:title) { track.title + object.title + song }
      end
      class LiveSongSerializer < HTTPSongSerializer
        attribute(:place) { {place: object.place, live_song: object, http_song: http_song} }
        attribute(:http_song) { object.song(live_song: 1) }
      end
      module Words
        def song = http_song
      end
    NEW
      class HTTPSongSerializer < Oj::Serializer
        object_id_of = [http_song]
        object_as :track, model: :Song
        attribute(:title) { track.title + http_song.title + song }
      end
      class LiveSongSerializer < HTTPSongSerializer
        attribute(:place) { {place: live_song.place, live_song:, http_song: http_song} }
        attribute(:http_song) { @object.song(live_song: 1) }
      end
      module Words
        def song = http_song
      end
    OLD
  end

  # Each attribute keeps its own condition and key; a method that would have decided is called or named.
  def test_fields_of_oj_serializers
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class SongSerializer < Katsu::Serializer
        attribute :uuid, name: :id, if: -> { !object.new_record? }
        attribute :id, if: :shown?
        # katsu migrate: type: :string has no counterpart
        attributes :a, :b
        attribute :title, if: :include_title?
        attribute :c, name: :d, if: -> { object.c? }
        attributes :f
        attributes(*COMMON, if: :shown?)
        # katsu migrate: "e" => 1 has no counterpart
        # attributes :a, "e" => 1
        attribute :shout, if: :shown?
        def shout
          object.title.upcase
        end
        # katsu migrate: its method is not below it
        # attribute
        has_one :record, serializer: "AlbumSerializer", name: :album, if: -> { object.album? }
        # katsu migrate: from: and a block have no counterpart together
        # has_one(:album, serializer: AlbumSerializer, from: :record) { 1 }
        # katsu migrate: its serializer is not a class
        # has_many :parts, serializer: ->(part) { part }
        # katsu migrate: the key draft? keeps its ?
        transform_keys :lower_camel
        transform_keys(&:upcase)
        # katsu migrate: keys cannot be written so
        # transform_keys STRATEGY
        attributes :draft?
        def include_title? = true
        # katsu migrate: it decides of other, too: say if: :include_other? there
        def include_other? = true

        private

        def include_a? = true
      end
    NEW
      class SongSerializer < Oj::Serializer
        identifier :uuid, as: :id
        identifier if: :shown?
        attributes :a, :b, :title, c: {as: :d, if: -> { song.c? }}, f: {type: :string}
        attributes(*COMMON, if: :shown?)
        attributes :a, "e" => 1
        attribute if: :shown?
        def shout
          song.title.upcase
        end
        attribute
        has_one :album, serializer: "AlbumSerializer", from: :record, if: -> { song.album? }
        has_one(:album, serializer: AlbumSerializer, from: :record) { 1 }
        has_many :parts, serializer: ->(part) { part }
        transform_keys :camelize
        transform_keys :upcase
        transform_keys STRATEGY
        attributes :draft?
        def include_title? = true
        def include_other? = true

        private

        def include_a? = true
      end
    OLD
  end

  # Nothing is lost where a statement that becomes a comment shares its line with others.
  def test_comments_end_where_the_statement_does
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class PostSerializer < Katsu::Serializer
        # katsu migrate: type is no word of Katsu's
        # type :posts
        attributes :id # first
        # katsu migrate: link is no word of Katsu's
        # link :self do
        #   "a"
        # end
        # katsu migrate: what stands in here is not translated
        %i[a b].each { |name| attribute name, key: name.upcase }
        # katsu migrate: what stands in here is not translated
        if ENV["X"]
          attribute :x, key: :y
        end
        LIMIT = 5
        def title = object.title[0, LIMIT]
      end
    NEW
      class PostSerializer < ActiveModel::Serializer
        type :posts; attributes :id # first
        link :self do
          "a"
        end
        %i[a b].each { |name| attribute name, key: name.upcase }
        if ENV["X"]
          attribute :x, key: :y
        end
        LIMIT = 5
        def title = object.title[0, LIMIT]
      end
    OLD
    text = Katsu::Migrate.text("class A < Blueprinter::Base\n  view(:x) { transform Y; field :a }\nend\n")
    assert_equal "class ASerializer < Katsu::Serializer\n  view(:x) { # katsu migrate: a transformer has no " \
                 "counterpart but for keys\n  # transform Y\n  attribute :a }\nend\n", text
  end

  # What stands below a statement belongs to it.
  def test_heredocs_of_comments
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class PostSerializer < Katsu::Serializer
        # katsu migrate: meta is no word of Katsu's
        # meta <<~ONE, other: [<<-TWO]
        #   a
        #
        # ONE
        #     b \#{1}
        # TWO
        # katsu migrate: if: <<~CODE has no counterpart
        # attribute :title, if: <<~CODE
        #   object.draft
        # CODE
        attribute(:body) { <<~TEXT }
          text
        TEXT
        # katsu migrate: link is no word of Katsu's
        # link(:self) do
        #   <<~LINK
        #     c
        #   LINK
        # end
        attributes :id
      end
    NEW
      class PostSerializer < ActiveModel::Serializer
        meta <<~ONE, other: [<<-TWO]
          a

        ONE
            b \#{1}
        TWO
        attribute :title, if: <<~CODE
          object.draft
        CODE
        attribute(:body) { <<~TEXT }
          text
        TEXT
        link(:self) do
          <<~LINK
            c
          LINK
        end
        attributes :id
      end
    OLD
  end

  def test_reasons_with_code_of_several_lines
    assert_equal <<~NEW, resource(<<-OLD)
      class PostSerializer < Katsu::Serializer
        # katsu migrate: if: proc { |post, id| id > 1 } has no counterpart
        # attributes :id, if: proc { |post, id|
        #   id > 1
        # }
      end
    NEW
  attributes :id, if: proc { |post, id|
    id > 1
  }
    OLD
    assert_equal <<~NEW, Katsu::Migrate.text(migrated(<<-OLD.strip, "Oj"))
      class PostSerializer < Katsu::Serializer
        attributes :id, # comments stay
                   :title
        # katsu migrate: vary: has to say what of context and scope the JSON depends on
        # katsu migrate: ->(post) { post.id }: the version of the record is the key
        cache
      end
    NEW
  attributes :id, # comments stay
             :title
  cached_with_key ->(post) {
    post.id
  }
    OLD
  end

  # Names in modules, comments and text that is not ASCII stay.
  def test_the_rest_of_a_file_stays
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      # frozen_string_literal: true

      module Api
        # Größe ü
        class PostSerializer < Katsu::Serializer
          has_one :author, serializer: ::Api::AuthorSerializer, name: "größe"

          attributes :id # ü
        end

        class Other < Struct.new(:x)
          attributes :id
        end
      end
    NEW
      # frozen_string_literal: true

      module Api
        # Größe ü
        class PostResource
          include Alba::Resource

          one :author, resource: ::Api::AuthorResource, key: "größe"

          attributes :id # ü
        end

        class Other < Struct.new(:x)
          attributes :id
        end
      end
    OLD
  end

  # As a class that is written in the other way, with a parent or with the module.
  def test_classes_that_are_assigned
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      PostSerializer = Class.new(Katsu::Serializer) do
        attribute :title, name: :headline
      end
      module Api
        CommentSerializer = ::Class.new(Katsu::Serializer) { attributes :id }
        V1::TagSerializer = Class.new(Katsu::Serializer) do
          attributes :id
        end
        Other = Class.new(Struct.new(:id)) { attributes :id }
        Empty = Class.new
      end
      LongSerializer = Class.new(PostSerializer)
    NEW
      PostSerializer = Class.new(ActiveModel::Serializer) do
        attribute :title, key: :headline
      end
      module Api
        CommentResource = ::Class.new() { include Alba::Resource; attributes :id }
        V1::TagResource = Class.new do
          include Alba::Resource

          attributes :id
        end
        Other = Class.new(Struct.new(:id)) { attributes :id }
        Empty = Class.new
      end
      LongSerializer = Class.new(PostSerializer)
    OLD
  end

  # What is taken away takes nothing with it that stands in its line.
  def test_lines_of_several_statements
    assert_equal <<~NEW, Katsu::Migrate.text(<<~OLD)
      class PostSerializer < Katsu::Serializer; attributes :id; end
      class TagSerializer < Katsu::Serializer
        # the gem
        attributes :name
      end
    NEW
      class PostResource; include Alba::Resource; attributes :id; end
      class TagResource
        include Alba::Resource # the gem
        include Alba::Serializer; attributes :name
      end
    OLD
  end

  # The others are written.
  def test_a_file_that_cannot_be_written
    %w[a b].each { |name| write("#{name}_resource.rb", "class Post\n  include Alba::Resource\nend\n") }
    FileUtils.mkdir(File.join(@folder, "a_serializer.rb"))
    paths = %w[a b].map { |name| File.join(@folder, "#{name}_resource.rb") }
    status, out, err = run_command("migrate", "--force", *paths)
    assert_equal [1, "b_resource.rb -> b_serializer.rb\n"], [status, out]
    assert_match(/\Aa_serializer.rb: Is a directory/, err)
  end

  # Two gems in one folder, as half way through a move.
  def test_files_that_are_read_are_never_written_over
    texts = {"post_blueprint.rb" => "class PostBlueprint < Blueprinter::Base\nend\n",
             "post_resource.rb" => "class PostResource\n  include Alba::Resource\nend\n",
             "post_serializer.rb" => "class PostSerializer < ActiveModel::Serializer\nend\n"}
    texts.each { |name, text| write(name, text) }
    status, _, err = run_command("migrate", "--force", @folder)
    assert_equal 1, status
    assert_equal 2, err.scan("post_serializer.rb is a file that is read, or was just written").size
    assert_equal [*texts.keys, "post_serializer.rb.katsu"], files
    texts.each { |name, text| assert_equal text, read(name) }
    File.delete(File.join(@folder, "post_serializer.rb"))
    status, out, = run_command("migrate", "--force", @folder)
    assert_equal [1, "post_blueprint.rb -> post_serializer.rb\n"], [status, out]
  end
end
