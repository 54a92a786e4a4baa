# frozen_string_literal: true

require "support/test_case"
require "open3"

# What is used in another Ractor than the first before the first has used it. Each script runs in a process of
# its own, in which nothing is compiled yet.
class RactorsTest < TestCase
  ROOT = File.expand_path("../..", __dir__)

  PRELUDE = <<~'RUBY'
    require "katsu"
    require "stringio"
    Warning[:experimental] = false

    def value_of(ractor) = ractor.respond_to?(:value) ? ractor.value : ractor.take
    def inside(code)
      value_of(Ractor.new(code) do |text|
        Object.new.instance_eval(text)
      rescue Exception => error
        "#{error.class}: #{error.message}"
      end)
    end

    class Table < Hash; end
    class List < Array; end

    class Asking
      def to_json(state = nil, *)
        [state.indent, state.depth, state.allow_nan?, state.as_json, state.to_h[:max_nesting]].to_json(state)
      end
    end

    class TagSerializer < Katsu::Serializer
      attributes :name
    end

    class PostSerializer < Katsu::Serializer
      attributes :id, :size
      attribute :hidden, if: :shown?
      has_one :author, serializer: TagSerializer
      has_many :tags, serializer: "TagSerializer", only: [:name]
      has_one :subject, serializer: {"Hash" => "TagSerializer"}
      def size = object[:id] * 2
      def shown? = context
    end

    class KeyedSerializer < Katsu::Serializer
      has_many :tags, by: :name
    end

    class NextSerializer < PostSerializer
      aliases id: :number
    end

    class MetaSerializer < Katsu::Serializer
      root :post
      seen = []
      meta { |*| {seen: seen.size} }
      attributes :id
    end

    class BlockSerializer < Katsu::Serializer
      seen = []
      attribute(:id) { |object| seen.clear; object[:id] }
    end

    class FreeBlockSerializer < Katsu::Serializer
      factor = 3
      attribute(:size) { |object| object[:id] * factor }
      attribute(:label) { |_| label }
      attribute :number, if: ->(*) { context == :numbers }
      has_one :author, serializer: TagSerializer, if: -> { scope.nil? }
      def number = 1
      def label = "label"
    end

    POST = Ractor.make_shareable({id: 2, author: {name: "a"}, tags: [{name: "t"}], subject: {name: "s"}, hidden: 1})
    abort "no Ractors: #{inside("JSON.generate([1])")}" unless inside("JSON.generate([1])") == "[1]"
  RUBY

  # The lines that the script prints. first: what is run before there was any other Ractor.
  def lines_of(script, first: "")
    script = PRELUDE.sub(/^abort/, "#{first}\nabort") + script
    output, messages, status = Open3.capture3(RbConfig.ruby, "-W0", "-I", "#{ROOT}/lib", "-e", script)
    skip "json #{JSON::VERSION} keeps settings that Ractors may not read" if messages.include?("no Ractors:")
    assert_predicate status, :success?, messages
    output.lines(chomp: true)
  end

  # The values of the expressions, each the first thing that its Ractor does.
  def assert_values(expected)
    lines = lines_of(expected.keys.map { |code| "puts inside(#{code.dump})" }.join("\n"))
    assert_equal expected.size, lines.size
    expected.values.zip(lines) do |value, line|
      value.is_a?(Regexp) ? assert_match(value, line) : assert_equal(value, line)
    end
  end

  # Whatever the main Ractor found out about its plans, they can still be shared.
  def test_serializers_that_the_main_ractor_has_used
    json = '{"id":2,"hidden":1,"size":4,"author":{"name":"a"},"subject":{"name":"s"},"tags":[{"name":"t"}]}'
    used = <<~'RUBY'
      require "active_record"
      PostSerializer.preloads
      PostSerializer.columns
      PostSerializer.many([POST]).to_json
      PostSerializer.many([POST]).explain.to_h
      Katsu::ArraySerializer.new([POST], each_serializer: {"Hash" => PostSerializer}).to_json
      PostSerializer.new(context: true).serialize(POST)
      [{PostSerializer.plan => 1}, [PostSerializer.plan, TagSerializer.plan].uniq]
    RUBY
    lines = lines_of(<<~'RUBY', first: used)
      puts inside("PostSerializer.new(context: true).serialize_to_json(POST)")
      puts inside("TagSerializer.new.serialize_to_json(POST[:author])")
    RUBY
    assert_equal [json, '{"name":"a"}'], lines
  end

  def test_serializers_that_nobody_has_used
    assert_values(
      "PostSerializer.new(context: true).serialize_to_json(POST)" =>
        '{"id":2,"hidden":1,"size":4,"author":{"name":"a"},"subject":{"name":"s"},"tags":[{"name":"t"}]}',
      "PostSerializer.new(only: {instance: [:id, :tags], tags: [:name]}).serialize(POST).inspect.delete(%( ))" =>
        '{"id"=>2,"tags"=>[{"name"=>"t"}]}',
      "NextSerializer.new(except: [:author, :subject]).serialize_to_json(POST)" =>
        '{"id":2,"number":2,"size":4,"tags":[{"name":"t"}]}',
      "Katsu::ArraySerializer.new([POST] * 2, each_serializer: TagSerializer).to_json" =>
        /\AKatsu::UnknownAttributeError/,
      "TagSerializer.new(only: [:nmae])" => /\AKatsu::InvalidFilterError: TagSerializer: only: .*Did you mean/
    )
  end

  # A method of Kernel's in a constant could not be called there.
  def test_objects_that_answer_by_method_missing
    lines = lines_of(<<~'RUBY')
      class Answering
        def respond_to_missing?(name, _) = name == :name || super
        def method_missing(name, *) = name == :name ? "answered" : super
      end
      class Bare < BasicObject
        def name = "bare"
        def as_json(*) = {"as" => 1}
      end
      class BareSerializer < Katsu::Serializer
        attributes :bare
        def bare = Bare.new
      end
      puts inside("TagSerializer.new.serialize_to_json(Answering.new)")
      puts inside("TagSerializer.new.serialize_to_json(Bare.new)")
      puts inside("BareSerializer.new.serialize_to_json(1)")
      puts inside("BareSerializer.new.serialize(1).inspect.delete(%( ))")
    RUBY
    assert_equal ['{"name":"answered"}', '{"name":"bare"}', '{"bare":{"as":1}}', '{"bare"=>{"as"=>1}}'], lines
  end

  def test_documents
    codes = {
      ".to_json" => '[{"id":2,"tags":[{"name":"t"}]},{"id":2,"tags":[{"name":"t"}]}]',
      ".to_a.size" => "2", ".explain.to_h[:way]" => "objects", ".size" => "2", ".etag.size" => "34",
      ".write_to(StringIO.new, format: :ndjson).string.lines.size" => "2", ".each.to_a.join.size" => "63"
    }
    assert_values(codes.transform_keys { |code| "PostSerializer.many([POST] * 2, only: [:id, :tags])#{code}" })
    assert_values(
      "PostSerializer.many([POST].each, only: [:id]).write_to(StringIO.new).string" => '[{"id":2}]',
      "PostSerializer.one(POST, only: [:id]).to_json" => '{"id":2}'
    )
  end

  # They use no store there.
  def test_documents_of_a_cached_serializer
    lines = lines_of(<<~'RUBY')
      class CachedSerializer < Katsu::Serializer
        cache
        attributes :id
      end
      puts inside("CachedSerializer.many([POST]).to_json")
      puts inside("CachedSerializer.render(POST)")
      puts inside("Katsu::ArraySerializer.new([POST], each_serializer: CachedSerializer).to_json")
    RUBY
    assert_equal ['[{"id":2}]', '{"id":2}', '[{"id":2}]'], lines
  end

  def test_views_and_transforms_of_keys
    lines = lines_of(<<~'RUBY')
      class ViewedSerializer < Katsu::Serializer
        attributes :id
        view(:sized) { attributes :own_size }
        def own_size = 1
      end
      puts inside("ViewedSerializer.new(view: :sized).serialize_to_json(POST)")
      puts inside("ViewedSerializer.new(view: :sized, transform_keys: :lower_camel).serialize_to_json(POST)")
      puts ViewedSerializer.new(view: :sized).serialize_to_json(POST)
    RUBY
    assert_equal ['{"id":2,"own_size":1}', '{"id":2,"ownSize":1}', '{"id":2,"own_size":1}'], lines
  end

  def test_collections_by_key
    assert_values(
      "KeyedSerializer.new.serialize_to_json(POST)" => '{"tags":{"t":{"name":"t"}}}',
      "KeyedSerializer.new.serialize(POST).inspect.delete(%( ))" => '{"tags"=>{"t"=>{"name"=>"t"}}}',
      "TagSerializer.many([POST], except: [:name], by: :id).to_json" => '{"2":{}}',
      "TagSerializer.many([POST], except: [:name], by: ->(post) { post[:id] + 1 }).to_json" => '{"3":{}}'
    )
  end

  # It is called for each document there, too.
  def test_filters_for_below_a_polymorphic_association
    lines = lines_of(<<~'RUBY')
      class SizedSerializer < Katsu::Serializer
        attributes :id, :size
        def self.filters_for(context, _scope) = context ? {} : {only: [:id]}
      end
      class ChoosingSerializer < Katsu::Serializer
        has_one :subject, serializer: {"Hash" => SizedSerializer}
      end
      write = "ChoosingSerializer.new(context: %s).serialize_to_json({subject: {id: 1, size: 2}})"
      puts inside("[#{[true, false, true].map { |context| write % context }.join(", ")}]")
    RUBY
    assert_equal ['{"subject":{"id":1,"size":2}}', '{"subject":{"id":1}}', '{"subject":{"id":1,"size":2}}'], lines
  end

  def test_documents_beside_active_record
    assert_equal ['[{"name":1}]'], lines_of(<<~RUBY)
      require "active_record"
      ActiveRecord::Relation.name + ActiveRecord::Base.name
      puts inside("TagSerializer.many([{name: 1}]).to_json")
    RUBY
  end

  # What a polymorphic association chooses may write by a filters_for further below.
  def test_filters_of_what_a_polymorphic_association_chooses
    lines = lines_of(<<~'RUBY')
      class SecretSerializer < Katsu::Serializer
        attributes :id, :secret
        def self.filters_for(_context, scope) = scope == :guest ? {except: [:secret]} : {}
      end
      class ItemSerializer < Katsu::Serializer
        has_one :detail, serializer: SecretSerializer
      end
      class BoxSerializer < Katsu::Serializer
        has_one :item, serializer: {"Hash" => ItemSerializer}
      end
      BOX = Ractor.make_shareable({item: {detail: {id: 1, secret: 2}}})
      puts inside("%i[admin guest].map { |scope| BoxSerializer.new(scope: scope).serialize_to_json(BOX) }.join")
    RUBY
    assert_equal ['{"item":{"detail":{"id":1,"secret":2}}}{"item":{"detail":{"id":1}}}'], lines
  end

  def test_each_ractor_compiles_once
    one = "PostSerializer.plan.equal?(PostSerializer.plan)"
    both = "PostSerializer.plan(nil, [:id]).equal?(PostSerializer.plan(nil, [:id])) && #{one}"
    lines = lines_of("puts inside(#{both.dump}), #{both}, inside(#{both.dump}), #{one}")
    assert_equal %w[true true true true], lines
  end

  def test_what_is_declared_later_is_seen
    lines = lines_of(<<~'RUBY')
      work = Ractor.new do
        write = -> { PostSerializer.new(only: [:id]).serialize_to_json(POST) }
        Ractor.yield(write.call)
        Ractor.receive
        write.call
      end if Ractor.respond_to?(:yield)
      puts(work ? work.take : '{"id":2}')
      class PostSerializer
        attribute :id
        def id = 5
      end
      work&.send(nil)
      puts(work ? work.take : inside("PostSerializer.new(only: [:id]).serialize_to_json(POST)"))
    RUBY
    assert_equal ['{"id":2}', '{"id":5}'], lines
  end

  # A form that a Ractor has kept is asked again.
  def test_what_is_declared_later_in_a_view_is_seen
    lines = lines_of(<<~'RUBY')
      class PostSerializer
        view(:short) { exclude :author, :tags, :subject, :hidden, :size }
        view(:wide) { include_view :short }
      end
      write = 'PostSerializer.new(view: :wide).serialize_to_json(POST)'
      work = Ractor.new(write) do |code|
        while (answer = Ractor.receive)
          answer.send((eval(code) rescue $!.message))
        end
      end
      ask = -> { work.send(Ractor.current); Ractor.receive }
      puts ask.call, eval(write)
      class PostSerializer
        view(:short) { attribute :title }
        def title = "t"
      end
      puts ask.call, eval(write)
      PostSerializer.view(:wide) { exclude :title }
      puts ask.call, eval(write)
      work.send(nil)
    RUBY
    assert_equal ['{"id":2}'] * 2 + ['{"id":2,"title":"t"}'] * 2 + ['{"id":2}'] * 2, lines
  end

  def test_what_a_ractor_cannot_do_is_an_error_that_says_what_to_do
    made = /blocks and lambdas can be called in the Ractor that made them only/
    blocks = /\AKatsu::Error: BlockSerializer: #{made}.*; for other Ractors, declare/
    assert_values(
      "BlockSerializer.new.serialize_to_json(POST)" => blocks,
      "Katsu::ArraySerializer.new([POST], each_serializer: BlockSerializer, only: [:id]).to_a" => blocks,
      "MetaSerializer.render(POST)" => /\AKatsu::Error: MetaSerializer: #{made}/,
      "Class.new(Katsu::Serializer) { attributes :id }" =>
        /\AKatsu::Error: .*: a serializer is declared in the main Ractor; others can use it\z/
    )
    call = "BlockSerializer.new.serialize_to_json(POST)"
    lines = lines_of("BlockSerializer.plan; puts inside(#{call.dump}), #{call}")
    assert_match blocks, lines[0]
    assert_equal '{"id":2}', lines[1]
  end

  # The main Ractor has to use them first.
  def test_objects_of_several_serializers
    script = <<~'RUBY'
      MAP = Ractor.make_shareable({"Hash" => TagSerializer})
      write = "Katsu::ArraySerializer.new([{name: 1}], each_serializer: MAP).to_json"
      puts inside(write), eval(write), inside(write)
    RUBY
    refused, *lines = lines_of(script)
    assert_equal "Katsu::Error: Katsu::ArraySerializer: a serializer is declared in the main Ractor; others can use it",
                 refused
    assert_equal ['[{"name":1}]'] * 2, lines
  end

  def test_an_as_json_of_the_application
    write = "[TagSerializer.new.serialize_to_json({name: 'a'}), TagSerializer.new.serialize({name: %w[a]}), " \
            "Katsu.generate(['a'])].join(%( ))"
    script = <<~RUBY
      require "active_support"
      require "active_support/json"
      puts inside(#{write.dump})
      class String; def as_json(*) = upcase; end
      puts inside(#{write.dump}), #{write}
    RUBY
    before = '{"name":"a"} {"name"=>["a"]} ["a"]'
    after = '{"name":"A"} {"name"=>["A"]} ["a"]'
    assert_equal([before, after, after], lines_of(script).map { |line| line.gsub(" => ", "=>") })
  end

  def test_an_as_json_that_another_ractor_defines
    assert_values("class ::Array; def as_json(*) = super; end" => "as_json")
  end

  def test_fields_that_raise
    code = "RaisingSerializer.new.serialize_to_json({id: 1})"
    script = <<~RUBY
      require "active_support"
      require "active_support/notifications"
      class RaisingSerializer < Katsu::Serializer
        attributes :id
        attributes :broken, on_error: :null
        def broken = raise("x")
      end
      puts #{code}, inside(#{code.dump})
    RUBY
    here, there = lines_of(script)
    assert_equal '{"id":1,"broken":null}', here
    return assert_match(/blocks and lambdas/, there) unless Ractor.respond_to?(:shareable_proc)

    assert_equal here, there
  end

  # ActiveSupport's inflections cannot be read there.
  def test_names_of_serializers_with_activesupport
    script = <<~RUBY
      require "active_support/all"
      class ThingSerializer < Katsu::Serializer
        attributes :id
      end
      class NamingSerializer < Katsu::Serializer
        has_many :things
      end
      puts inside("NamingSerializer.new.serialize_to_json({things: []})")
      NamingSerializer.new.serialize_to_json({things: []})
      puts inside("NamingSerializer.new.serialize_to_json({things: []})")
    RUBY
    first, then_ = lines_of(script)
    assert_match(/\AKatsu::Error: NamingSerializer: the serializer of things is looked up by .* give the class/, first)
    assert_equal '{"things":[]}', then_
  end

  # From Ruby 4.0 on, blocks and lambdas that read nothing that cannot be shared.
  def test_blocks_that_can_be_shared
    code = "[FreeBlockSerializer.new(context: :numbers).serialize_to_json(POST), " \
           "FreeBlockSerializer.new(scope: 1).serialize(POST).keys].join(%( ))"
    here, there, again = lines_of("puts eval(#{code.dump}), inside(#{code.dump}), inside(#{code.dump})")
    assert_equal '{"size":6,"label":"label","number":1,"author":{"name":"a"}} size label', here
    return assert_match(/\AKatsu::Error: FreeBlockSerializer: blocks and lambdas/,
                        there) unless Ractor.respond_to?(:shareable_proc)

    assert_equal [here] * 2, [there, again]
    assert_equal ["true"], lines_of("puts Ractor.shareable?(FreeBlockSerializer.plan)") if native?
  end

  # They are called as they were given.
  def test_blocks_that_cannot_be_shared
    count = 0
    list = []
    serializer = Class.new(Katsu::Serializer) do
      attribute(:count) { count += 1 }
      attribute(:list) do |object|
        list << object[:id]
        list.dup
      end
      attribute(:id, &:size)
    end
    assert_equal '{"count":1,"list":[3],"id":1}', serializer.new.serialize_to_json({id: 3})
    assert_equal '{"count":2,"list":[3,4],"id":1}', serializer.new.serialize_to_json({id: 4})
    assert_equal [2, [3, 4]], [count, list]
  end

  def test_the_generator
    assert_values(
      "Katsu.generate([Asking.new], max_nesting: 7, allow_nan: true)" => '[["",1,true,false,7]]',
      "Katsu.pretty_generate({a: [1]}).delete(%(\n))" => '{  "a": [    1  ]}',
      "Katsu.generate({b: 1.5, a: 2}, sort_keys: true)" => '{"a":2,"b":1.5}',
      "Katsu.generate({'b' => 1.5, 'a' => 2}, rfc8785: true)" => '{"a":2,"b":1.5}',
      "Katsu::Coder.new { |object, _| object.to_s }.dump([1..2])" => '["1..2"]',
      "Katsu.dump({a: [nil]}, StringIO.new).string" => '{"a":[null]}',
      "Katsu.generate([Katsu::Stream.new([1].each), Katsu::Fragment.new('{}')])" => "[[1],{}]",
      "Katsu::Writer.new.tap { |writer| writer.push_array; writer.push_value(1); writer.pop }.to_s" => "[1]",
      "Katsu::ObjectWriter.new.tap { |writer| writer.push_object; writer.push_value(1, 'a'); writer.pop }" \
      ".output.inspect.delete(%( ))" => '{"a"=>1}',
      "Katsu::State.new(indent: %(\t)).tap { |state| state.space = %( ) }" \
      ".then { |state| [state.indent, state[:space], state.script_safe?].inspect }" => '["\\t", " ", false]',
      "Katsu.generate([Float::NAN])" => /\AKatsu::GeneratorError: NaN/
    )
  end

  # A method of Hash's or Array's in a constant could not be called there.
  def test_hashes_and_arrays_of_own_classes
    assert_values(
      "Katsu.generate(Table['b', List[1], 'a', 2])" => '{"b":[1],"a":2}',
      "Katsu.generate(Table['b', 1, 'a', 2], sort_keys: true)" => '{"a":2,"b":1}',
      "Katsu.generate(Table['b', 1, 'a', 2], sort_keys: ->(hash) { hash })" => '{"b":1,"a":2}',
      "Katsu.generate(Table['b', 1, 'a', 2], rfc8785: true)" => '{"a":2,"b":1}',
      "Katsu.generate(Table['b', 1, :a, 2])" => '{"b":1,"a":2}',
      "Katsu::Writer.new(nil, as_json: true).push_value(Table['b', 1, :b, List[2]]).to_s" => '{"b":[2]}'
    )
  end
end
