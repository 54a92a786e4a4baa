# frozen_string_literal: true

require "support/test_case"
require "open3"

# What watches how associations are read, such as Bullet, sees what a serializer reads. Each script runs in a
# process of its own, as what is put before ActiveRecord's methods stays there.
class WatchersTest < TestCase
  ROOT = File.expand_path("../..", __dir__)

  MODELS = <<~'RUBY'
    require "katsu"
    require "support/database"
    require "json"

    class MentorSerializer < Katsu::Serializer
      attributes :name
    end

    class AuthorSerializer < Katsu::Serializer
      attributes :name
      has_one :mentor, serializer: MentorSerializer
    end

    class CommentSerializer < Katsu::Serializer
      attributes :body
    end

    class PostSerializer < Katsu::Serializer
      attributes :title
      has_one :author, serializer: AuthorSerializer
      has_many :comments, serializer: CommentSerializer
    end

    mentor = Author.create!(name: "m")
    2.times do |index|
      post = Post.create!(title: "t#{index}", author: Author.create!(name: "a#{index}", mentor: mentor))
      2.times { Comment.create!(post: post, body: "b") }
    end
    ALL = {author: :mentor, comments: {}}

    def write(posts, **filters) = Katsu::ArraySerializer.new(posts, each_serializer: PostSerializer, **filters).to_json

    # The methods of ActiveRecord's associations that are called while posts are written.
    def calls(posts)
      called = []
      classes = [ActiveRecord::Associations::SingularAssociation, ActiveRecord::Associations::CollectionAssociation]
      trace = TracePoint.new(:call) { |point| called << point.method_id if classes.include?(point.defined_class) }
      trace.enable { write(posts) }
      called.tally.slice(:reader, :load_target)
    end

    write(Post.includes(ALL).to_a) # what is found out once is, before anybody watches
    results = {}
  RUBY

  BULLET = <<~'RUBY'
    require "bullet"

    # What Bullet says of the block.
    def watch
      Bullet.start_request
      yield
      Bullet.perform_out_of_channel_notifications if Bullet.notification?
      notices = Bullet.notification_collector.collection
      notices.map { |notice| [notice.class.name[/\w+\z/], notice.base_class, notice.associations] }.sort
    ensure
      Bullet.end_request
    end

    Bullet.enable = true
  RUBY

  def run_script(*parts)
    output, status = Open3.capture2e(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-I", "#{ROOT}/test", "-e",
                                     parts.join("\n"), "-e", "puts JSON.generate(results)")
    assert_predicate status, :success?, output
    JSON.parse(output.lines.last)
  end

  # What is called while somebody watches, and by the ruby backend if it cannot read rows (ActiveRecord 7).
  EVERY_READER = {"reader" => 6, "load_target" => 2}.freeze

  def test_bullet_sees_what_is_read
    results = run_script(MODELS, BULLET, <<~RUBY)
      results[:all_read] = watch { write(Post.includes(ALL).to_a) }
      posts = Post.includes(ALL)
      results[:hashes] = watch { Katsu::ArraySerializer.new(posts.to_a, each_serializer: PostSerializer).to_a }
      results[:joined] = watch { write(Post.eager_load(ALL).to_a) }
      results[:unused] = watch { write(Post.includes(ALL).to_a, only: [:title, :author]) }
      results[:n_plus_one] = watch { write(Post.all.to_a, only: [:author]) }
      results[:nested_n_plus_one] = watch { write(Post.includes(:author).to_a, only: [:author]) }
    RUBY
    assert_equal [[]] * 3, results.values_at("all_read", "hashes", "joined")
    assert_equal [["UnusedEagerLoading", "Post", ["comments"]]], results["unused"]
    assert_equal ["NPlusOneQuery", "Post", ["author"]], results["n_plus_one"].first
    assert_equal [["NPlusOneQuery", "Author", ["mentor"]]], results["nested_n_plus_one"]
  end

  def test_readers_are_called_only_while_bullet_watches
    results = run_script(MODELS, "results[:before] = calls(Post.includes(ALL).to_a)", BULLET, <<~RUBY)
      results[:between_requests] = calls(Post.includes(ALL).to_a)
      watch { results[:watched] = calls(Post.includes(ALL).to_a) }
      Bullet.enable = false
      watch { results[:off] = calls(Post.includes(ALL).to_a) }
      results[:rows] = Katsu::Report.short_cuts[:rows] == true
    RUBY
    without_watcher = results["rows"] ? {} : EVERY_READER
    assert_equal true, results["rows"] if native?
    assert_equal EVERY_READER, results["watched"]
    assert_equal [without_watcher] * 3, results.values_at("before", "between_requests", "off")
  end

  PATCHES = {
    "a module before the reader" => <<~RUBY,
      %i[SingularAssociation CollectionAssociation].each do |name|
        seeing = Module.new { def reader = super.tap { SEEN << reflection.name } }
        ActiveRecord::Associations.const_get(name).prepend(seeing)
      end
    RUBY
    "a module before load_target" => <<~RUBY,
      module SeenTarget
        def target = super.tap { SEEN << reflection.name }
      end
      module SeenLoad
        def load_target = super.tap { SEEN << reflection.name }
      end
      ActiveRecord::Associations::SingularAssociation.prepend(SeenTarget)
      ActiveRecord::Associations::HasManyAssociation.prepend(SeenLoad)
    RUBY
    "a class opened again" => <<~RUBY,
      class ActiveRecord::Associations::Association
        alias_method :loaded_before?, :loaded?
        def loaded? = loaded_before?.tap { SEEN << reflection.name }
      end
    RUBY
    "a private method" => <<~RUBY,
      module SeenState
        private def stale_state = super.tap { SEEN << reflection.name }
      end
      ActiveRecord::Associations::Association.prepend(SeenState)
      ActiveRecord::Associations::BelongsToAssociation.prepend(SeenState)
    RUBY
    "a collection's records" => <<~RUBY,
      ActiveRecord::Associations::CollectionProxy.prepend(Module.new { def records = super.tap { SEEN << :comments } })
      class ActiveRecord::Associations::BelongsToAssociation
        include(Module.new { def unrelated = nil })
        define_method(:reader) { super().tap { SEEN << reflection.name } }
      end
    RUBY
    "a model's own association method" => <<~RUBY
      module Watched
        def association(name) = super.tap { SEEN << name }
      end
      [Post, Author].each { |model| model.include(Watched) }
      Post.reset_column_information
      Author.reset_column_information
    RUBY
  }.freeze

  # Threads that write the first records at once: none goes on with half of what is found out about ActiveRecord.
  def test_threads_wait_until_activerecord_is_known
    script = MODELS.sub(/^write\(.*$/, "") # nothing is written before
    results = run_script(script, <<~'RUBY')
      known = -> { Katsu::Source::RecordSource.instance_variable_get(:@rows) }
      asked = 0
      slow = Module.new { define_method(:passes?) { asked += 1; super().tap { sleep(0.1) } } }
      Katsu::Source::Probe.singleton_class.prepend(slow)
      posts = Post.includes(ALL).to_a
      results[:known] = Array.new(4) { Thread.new { write(posts); known.call } }.map(&:value)
      results[:asked] = asked
    RUBY
    assert_equal [native? ? true : nil] * 4, results["known"]
    assert_equal native? ? 1 : 0, results["asked"]
  end

  # As an ActiveRecord would be that keeps values elsewhere.
  def test_an_activerecord_that_is_not_known_is_read_by_its_readers
    results = run_script(<<~'RUBY', MODELS, <<~RUBY)
      require "katsu"
      require "stringio"
      Katsu::Source::Probe.singleton_class.prepend(Module.new { def passes? = false })
      $VERBOSE = false # -W0 silences warn
      $stderr = StringIO.new
    RUBY
      authors = Class.new(Katsu::Serializer) { attributes :name }
      results[:names] = Katsu::ArraySerializer.new(Author.order(:id), each_serializer: authors).to_a
      results[:row] = Katsu::Native.row(Author.first) if defined?(Katsu::Native)
      results[:said] = $stderr.string
    RUBY
    assert_equal(%w[m a0 a1].map { |name| {"name" => name} }, results["names"])
    assert_nil results["row"]
    said = "katsu: ActiveRecord VERSION keeps a record's values in a way that is not known; public readers are used, " \
           "which is slower\n"
    assert_equal native? ? said : "", results["said"].sub(/ActiveRecord [\d.]+/, "ActiveRecord VERSION")
  end

  # Of the methods that are watched, only a collection has this one.
  def test_a_collection_whose_records_are_defined_again
    results = run_script(MODELS, <<~RUBY)
      SEEN = []
      class ActiveRecord::Associations::CollectionProxy
        alias_method :records_before, :records
        def records = records_before.tap { SEEN << :comments }
      end
      write(Post.includes(ALL).to_a)
      results[:seen] = SEEN
    RUBY
    assert_equal %w[comments] * 2, results["seen"]
  end

  def test_an_extension_of_an_association_is_called
    results = run_script(MODELS, <<~RUBY)
      class Blog < Author
        has_many :posts, foreign_key: :author_id do
          def records = super.first(1)
        end
      end

      class BlogSerializer < Katsu::Serializer
        has_many :posts, serializer: PostSerializer, only: [:title]
      end

      blog = Blog.create!(name: "b", posts: [Post.new(title: "one"), Post.new(title: "two")])
      results[:posts] = BlogSerializer.new.serialize(Blog.includes(:posts).find(blog.id))
    RUBY
    assert_equal({"posts" => [{"title" => "one"}]}, results["posts"])
  end

  PATCHES.each do |name, patch|
    define_method(:"test_#{name.tr(" '", "_")}_is_called") do
      results = run_script(MODELS, "SEEN = []", patch, <<~RUBY)
        posts = Post.includes(ALL).to_a
        SEEN.clear
        write(posts)
        results[:seen] = SEEN.uniq.sort
        serializer = Class.new(Katsu::Serializer) do
          attributes :title
          has_one :author, serializer: MentorSerializer
        end
        SEEN.clear
        serializer.many(posts * 10).to_json # so many may be written together
        results[:authors] = SEEN.count(:author)
      RUBY
      assert_equal %w[author comments mentor], results["seen"]
      assert_operator results["authors"], :>=, 20
    end
  end
end
