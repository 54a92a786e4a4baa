# frozen_string_literal: true

require "active_support"
require "active_support/json"
require "active_support/time"
require_relative "../objects"
require_relative "naive"

# Values that call back, and leave.
class Pushing
  def initialize(writer, rescues)
    @writer = writer
    @rescues = rescues
  end

  def to_json(*)
    @writer.push_value(1)
    "2"
  rescue Katsu::Error
    @rescues ? "2" : raise
  end

  def as_json(*) = to_json
end

class Throwing
  def to_json(*) = throw(:out)
  def as_json(*) = throw(:out)
end

class Raising
  def to_json(*) = raise(KeyError, "mine")
  def as_json(*) = raise(KeyError, "mine")
end

# Notes how it is asked.
class Counting
  def initialize(log) = @log = log
  def to_json(*) = (@log << :to_json) && "7"
  def as_json(*) = (@log << :as_json) && 7
end

# The same in what as_json makes as in what is generated.
class JSON::Fragment
  def as_json(*) = JSON.parse(json)
end

class ItemSerializer < Katsu::Serializer
  attributes :id, :name
end

module Fuzz
  # An io that takes so many bytes of each write, or raises.
  class Io
    attr_reader :text, :split

    def initialize(takes: nil, fails: false)
      @takes = takes
      @fails = fails
      @text = "".b
    end

    def write(text)
      raise Errno::EPIPE if @fails

      @split ||= !text.dup.force_encoding("UTF-8").valid_encoding?
      taken = [text.bytesize, @takes || text.bytesize].min
      @text << text.byteslice(0, taken)
      taken
    end
  end

  # Each call of a writer, and what came of it. A call that fails does not end the case.
  class Recorder
    attr_reader :target, :log

    def initialize(target)
      @target = target
      @log = []
    end

    %i[push_object push_array push_key push_value push_json pop to_s output freeze].each do |name|
      define_method(name) { |*arguments| step(name) { @target.public_send(name, *arguments) } }
    end

    private

    def step(name)
      result = nil
      left = true
      catch(:out) do
        result = yield
        left = false
      end
      @log << (left ? "thrown" : answer(name, result))
    rescue SystemStackError, StandardError => e
      @log << Outcome.error(e)
    end

    def answer(name, result)
      case name
      when :to_s then Outcome.text(result)
      when :output then result.inspect
      else "ok"
      end
    end
  end

  # What the cases' sources call; Katsu's side and the reference's.
  class Side
    attr_reader :io, :calls

    def initialize
      @calls = []
    end

    # The result as text, and how often values were asked, unless they were asked in vain.
    def run(source)
      text = Outcome.with_floats(instance_eval(source).inspect).gsub(/0x\h{8,}/, "0x")
      text.match?(/error|thrown/) ? text : "#{text}, asked for #{@calls}"
    end

    private

    def memory = @io = Io.new
    def takes(bytes) = @io = Io.new(takes: bytes)
    def fails = @io = Io.new(fails: true)
    def counting = Counting.new(@calls)
    def pushing(writer, rescues) = Pushing.new(writer.target, rescues)
    def big(size) = "é" * size

    def record(target)
      recorder = Recorder.new(target)
      yield recorder
      recorder.log
    end

    def caught
      left = true
      result = catch(:out) { Outcome.of { yield }.tap { left = false } }
      left ? "thrown" : result
    end
  end

  class KatsuSide < Side
    private

    def stream(elements, lazy = false) = Katsu::Stream.new(lazy ? elements.lazy : elements)
    def writer(io = nil, as_json: false, &block) = record(Katsu::Writer.new(io, as_json: as_json), &block)
    def object_writer(&block) = record(Katsu::ObjectWriter.new, &block)
    def generate(value, options) = caught { Katsu.generate(value, **options) }

    def dump(value, io, options)
      caught { Katsu.dump(value, io, **options).then { |result| io ? result.equal?(io) : result } }
    end

    def coder(value, io, options, &block)
      caught { Katsu::Coder.new(**options, &block).dump(value, io).then { |result| io ? result.equal?(io) : result } }
    end

    def response(&block) = caught { Katsu::Response.create(&block).to_json }
    def list(objects) = Katsu::ArraySerializer.new(objects, each_serializer: ItemSerializer)
  end

  class NaiveSide < Side
    attr_reader :partial

    # In the place of an ArraySerializer.
    class Rows
      def initialize(objects) = @objects = objects
      def as_json(*) = @objects.map { |object| {"id" => object[:id].as_json, "name" => object[:name].as_json} }

      def to_json(state = nil, *)
        return JSON.generate(as_json, state) if state && changes_text?(state.to_h)

        JSON.generate(@objects.map { |object| Naive.rails({id: object[:id], name: object[:name]}) })
      end

      private

      def changes_text?(options)
        options.values_at(:indent, :space, :space_before, :object_nl, :array_nl).any? { |text| text && !text.empty? } ||
          options.values_at(:script_safe, :ascii_only, :sort_keys, :rfc8785).any? ||
          options[:max_nesting].between?(1, 99)
      end
    end

    # What Response.create gives its block.
    class Creator
      def value(value) = value
      def json(text) = Katsu::Fragment.new(text)
      def array_serializer(objects, _serializer) = Rows.new(objects)
      def serializer(object, _serializer) = json(Rows.new([object]).to_json[1...-1])
    end

    private

    def stream(elements, _lazy = false) = elements

    def writer(io = nil, as_json: false, &block)
      target = Naive::Writer.new(io, as_json)
      record(target, &block).tap { @partial = target.partial }
    end

    def object_writer(&block) = record(Naive::ObjectWriter.new, &block)
    def generate(value, options) = caught { JSON.generate(value, **options) }
    def dump(value, io, options) = written(io) { JSON.generate(value, **{allow_nan: true}, **options) }
    def coder(value, io, options, &block) = written(io) { JSON::Coder.new(**options, &block).dump(value) }
    def response(&block) = caught { JSON.generate(parts(block.call(Creator.new))) }

    def parts(data)
      case data
      when Hash then Naive.strings(data).transform_values { |inner| parts(inner) }
      when Array then data.map { |inner| parts(inner) }
      when Rows then Katsu::Fragment.new(data.to_json)
      else Naive.rails(data)
      end
    end

    def list(objects) = Rows.new(objects)

    def written(io)
      caught do
        text = yield
        @partial = text
        Naive.write(io, text) if io
        io ? true : text
      end
    end
  end

  class World
    def initialize(_setup) = nil

    # What has gone to an io before an error is known only of what is smaller than a chunk. So is whether the push is
    # taken back and the writer goes on.
    def outcome(source)
      katsu, naive = KatsuSide.new, NaiveSide.new
      answer, expected = [katsu, naive].map { |side| side.run(source) }
      if source.include?("big(") && expected.include?("error")
        answer, expected = [answer, expected].map { |text| text[/.*?error [\w:]+/m] } if naive.io
        return {katsu: answer, reference: expected}
      end

      {katsu: "#{answer} #{io_of(katsu, naive)}", reference: "#{expected} #{io_of(naive, naive)}"}
    rescue EncodingError
      {katsu: "no case"}
    rescue ScriptError, StandardError => e
      {broken: e.full_message}
    end

    private

    # A document that is not complete may be written as far as it goes.
    def io_of(side, naive)
      return "no io" unless side.io
      return "io: within a character" if side.io.split
      return "io: before an error" unless naive.partial

      text, whole = [side.io.text, naive.partial.b].map { |bytes| Outcome.with_floats(bytes) }
      return "io: complete" if text == whole

      whole.start_with?(text) ? "io: in part" : "io: #{text.inspect}"
    end
  end
end
