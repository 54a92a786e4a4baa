# frozen_string_literal: true

require_relative "test_application"

# The event render.katsu, and what the log says of it.
class LogTest < RailsTestCase
  class TitleSerializer < Katsu::Serializer
    attributes :title
  end

  class FailingSerializer < Katsu::Serializer
    attributes :title
    def title = raise("no title")
  end

  def setup
    Post.create!(title: "one")
    Post.create!(title: "two")
  end

  def teardown
    Post.delete_all
  end

  def events(&action)
    found = []
    ActiveSupport::Notifications.subscribed(->(event) {
      found << event.payload.except(:exception, :exception_object)
    }, "render.katsu") do
      rendered(&action)
    rescue RuntimeError
      nil
    end
    found
  end

  def test_events
    posts = {serializer: TitleSerializer, records: 2, bytes: 33}
    assert_equal([posts], events { render json: Post.all, each_serializer: TitleSerializer })
    assert_equal [posts], events { render json: TitleSerializer.many(Post.all.load) }
    assert_equal [posts], events { render json: Post.all.to_a, each_serializer: TitleSerializer }
    assert_equal [posts], events { render json: Katsu::ArraySerializer.new(Post.all, each_serializer: TitleSerializer) }
    assert_equal [{**posts, records: 1, bytes: 15}], events { render json: Post.first, serializer: TitleSerializer }
    assert_equal [{serializer: nil, records: nil, bytes: 49}],
                 events {
                   render json: {total: 1, a: Katsu::ArraySerializer.new(Post.all, each_serializer: TitleSerializer)}
                 }
    assert_equal [], events { render json: Post.all }
    assert_equal [{serializer: FailingSerializer}], events { render json: Post.all, each_serializer: FailingSerializer }
  end

  def test_bytes_are_counted_with_the_root
    assert_equal 44, events { render json: Post.all, each_serializer: TitleSerializer, root: :titles }[0][:bytes]
  end

  TIMES = /\(Duration: \d+\.\d+ms \| GC: \d+\.\d+ms\)$/

  def test_lines
    one = logged { rendered { render json: Post.first, serializer: TitleSerializer } }
    assert_match(/^  Rendered LogTest::TitleSerializer \[1 record, 15 bytes\] #{TIMES}/, one)
    Post.first.update!(title: "o" * 2000)
    two = logged { rendered { render json: Post.all.to_a, each_serializer: TitleSerializer } }
    assert_match(/^  Rendered LogTest::TitleSerializer \[2 records, 2\.0 KB\] #{TIMES}/, two)
    documents = logged { rendered { render json: [Katsu::ArraySerializer.new([], each_serializer: TitleSerializer)] } }
    assert_match(/^  Rendered documents \[4 bytes\] #{TIMES}/, documents)
    assert_match(/^Completed 200 OK/, one)
  end

  def test_a_document_that_raises_is_logged_without_amounts
    lines = logged do
      assert_raises(RuntimeError) do
        rendered do
          render json: Post.all, each_serializer: FailingSerializer
        end
      end
    end
    assert_match(/^  Rendered LogTest::FailingSerializer #{TIMES}/, lines)
  end

  class NullSerializer < Katsu::Serializer
    on_error :null
    attributes :title
    def title = raise("no title")
  end

  def test_errors_of_fields
    lines = logged { assert_equal '{"title":null}', rendered { render json: Post.first, serializer: NullSerializer } }
    assert_match(/^  LogTest::NullSerializer#title raised RuntimeError: no title$/, lines)
  end

  # At each level of the log, the lines of a document of which a field raises.
  def test_levels
    field = "  LogTest::NullSerializer#title raised RuntimeError: no title"
    {info: [field, "  Rendered"], warn: [field], error: []}.each do |level, expected|
      lines = at(level) { logged { rendered { render json: Post.first, serializer: NullSerializer } } }
      found = lines.lines(chomp: true).grep(/Serializer/).map { |line| line.sub(/Rendered .*/, "Rendered") }
      assert_equal expected, found, level
    end
  end

  def at(level)
    before = TestApplication.config.logger.level
    TestApplication.config.logger.level = level
    yield
  ensure
    TestApplication.config.logger.level = before
  end

  # How often the records of a document are counted in the block.
  def counted(&block)
    times = 0
    trace = TracePoint.new(:call) do |call|
      times += 1 if call.method_id == :count && call.self.equal?(Katsu::Instrumentation)
    end
    trace.enable(&block)
    times
  end

  def test_nothing_is_measured_without_a_subscriber
    assert_equal 1, counted { rendered { render json: Post.first, serializer: TitleSerializer } }
    notifier = ActiveSupport::Notifications.notifier
    ActiveSupport::Notifications.notifier = ActiveSupport::Notifications::Fanout.new
    assert_equal 0, counted { rendered { render json: Post.first, serializer: TitleSerializer } }
  ensure
    ActiveSupport::Notifications.notifier = notifier
  end
end
