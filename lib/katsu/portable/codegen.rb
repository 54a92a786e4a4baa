# frozen_string_literal: true

require_relative "codegen/cache"
require_relative "codegen/expectations"
require_relative "codegen/readers"
require_relative "codegen/value_code"

module Katsu
  module Portable
    # Ruby code for a plan and a class of objects: write (JSON) and build (a Hash), in which each step is a line
    # or two and nothing is left to be decided by names or kinds.
    class Codegen
      include Readers

      # write is called with the batch, the object, the output and "{", or ",{" for all but the first of a collection; build with the
      # batch and the object. They are lambdas that close over what they use: Ruby 3.4 corrupts its memory where several
      # Ractors define methods or set constants at once.
      Writer = Struct.new(:types, :serial, :write, :build)
      # Ruby 3.4 appends all parts in one call and need not compare encodings.
      AS_BYTES = String.method_defined?(:append_as_bytes)
      private_constant :Writer, :AS_BYTES

      class << self
        # Generated once per Ractor, plan and class; forgotten when a class's columns change. object: the first of the class. nil
        # for a class of collections.
        def for(plan, klass, object)
          writers = plan.code.writers
          writer = writers[klass]
          fresh = writer && writer.serial == AsJson::Overrides.serial
          return writer if fresh && (writer.types.nil? || klass.attribute_types.equal?(writer.types))

          writers[klass] = new(plan, klass, object).generated unless Source.refused?(plan, klass)
        end
      end

      def initialize(plan, klass, object)
        @plan = plan
        @types = nil
        @serial = AsJson::Overrides.serial
        @own = AsJson::Overrides.any?
        _, @types, @accesses = Source.bind(plan, klass)
        @kinds = plan.steps.zip(@accesses).map { |step, access| Expectations.kind(step, access, klass, object) if certain?(step) }
        @string_keys = plan.steps.zip(@accesses).map { |step, access| Expectations.string_key?(step, access, klass, object) }
      end

      def generated
        used = {plan: @plan, serializer: @plan.serializer}
        @plan.steps.each_with_index do |step, index|
          {sub: step.plan, identity: step.identity}.each { |name, value| used["#{name}#{index}"] = value if value }
        end
        made = Module.new.module_eval(<<~RUBY, "#{__FILE__} for #{@plan.serializer}", 0)
          # frozen_string_literal: true
          lambda do |#{used.keys.join(", ")}|
            [lambda do |batch, object, out, opening|
              #{write_body}
            end, lambda do |batch, object|
              #{build_body}
            end]
          end
        RUBY
        Writer.new(@types, @serial, *made.call(*used.values)).freeze
      end

      private

      def write_body
        <<~RUBY
          #{prelude}
          #{body(@plan.steps.each_with_index.to_a)}
          #{rescues}
        RUBY
      end

      def build_body
        <<~RUBY
          #{prelude}
          #{built(@plan.steps.each_with_index.to_a).join("\n")}
          hash
          #{rescues}
        RUBY
      end

      # The values that a plan begins with and that are read without side effects are in the Hash from the start where each is of
      # the kind that is expected.
      def built(steps)
        run = expected_first(steps)
        rest = steps.drop(run.size).map { |step, index| building(step, index) }
        return ["hash = {}", *run.map { |step, index| building(step, index) }, *rest] if run.size < 2

        codes = run.map { |_, index| expected(index, "value#{index}") }
        pairs = run.zip(codes).map { |(step, _), code| "#{step.key.inspect} => #{code.built}" }
        apart = run.map { |step, index| "#{again(step, index)}\nhash[#{step.key.inspect}] = #{plain_value(step, index)}" }
        [*reads(run), ("column = nil" if columns?), "if #{codes.map(&:built_if).join(" && ")}", "hash = {#{pairs.join(", ")}}", "else", "hash = {}", *apart, "end", *rest].compact
      end

      def expected_first(steps)
        steps.take_while { |step, index| certain?(step) && expected(index, "") }
      end

      # The Code for a variable by what its column's cast makes it, or what the first object's value was; or nil.
      def expected(index, variable)
        ValueCode.for_cast(cast(index), variable) || ValueCode.expected(@kinds[index], variable)
      end

      # The values that expected_first tells are written in one line.
      def body(steps)
        run = expected_first(steps)
        run = [] if run.size < 2
        rest = steps.drop(run.size)
        opened = !steps.empty? && certain?(steps.first[0])
        closed = !steps.empty? && certain?(steps.last[0])
        lines = run.empty? ? [] : written_together(run, rest.empty?)
        lines << "out << opening" unless opened
        rest.each { |step, index| lines << writing(step, index, opens: opened && index.zero?, closes: closed && index == steps.size - 1) }
        lines << 'out << "}"' unless closed
        lines.join("\n  ")
      end

      def written_together(run, closes)
        codes = run.map { |_, index| expected(index, "value#{index}") }
        text = run.zip(codes).map { |(step, index), code| key_text(step, index)[1..-2] + code.text }.join
        apart = run.map { |step, index| "#{again(step, index)}\n  #{put(step, index, index.zero?, closes && index == run.size - 1)}" }
        [*reads(run), ("column = nil" if columns?), "if #{codes.map(&:text_if).join(" && ")}", appends("\#{opening}#{text}#{"}" if closes}"), "else", *apart, "end"].compact
      end

      # True of a step that is always there and whose value is written here.
      def certain?(step)
        always?(step) && !step.plan
      end

      def always?(step)
        !step.optional? && !step.limited?
      end

      # column: the one that is being read; field: the step whose Ruby code is being called; bare: whether [] of a Hash gives
      # nothing but what is in it.
      def prelude
        [("column = nil" if columns?), ("field = nil" if calls?),
         ("bare = object.default.nil? && object.default_proc.nil?" if @string_keys.any?)].compact.join("; ")
      end

      def rescues
        [missing_column, failed_field].reject(&:empty?).join("\n")
      end

      def calls?
        @plan.steps.any?(&:optional?)
      end

      def failed_field
        calls? ? "rescue ::StandardError => error\n  batch.note(error, field, object) if field\n  raise" : ""
      end

      def columns?
        @accesses.any? { |access| access.how == Source::COLUMN }
      end

      def missing_column
        return "" unless columns?

        noted = calls? ? " => error\n  batch.note(error, field, object) if field" : ""
        "rescue ::ActiveModel::MissingAttributeError#{noted}\n  raise unless column\n  " \
          "raise ::Katsu::UnknownAttributeError.new(serializer, column, object, [], ::Katsu::Source::NOT_LOADED)"
      end

      # opens, closes: the object's braces belong to this step.
      def writing(step, index, opens: false, closes: false)
        lines = [read(step, index), ("column = nil" if columns?), put(step, index, opens, closes)]
        lines = [read(step, index), "unless ::Katsu::Serializer::SKIP.equal?(value)", *lines[1..], "end"] if step.call
        lines = guarded(step, index, lines)
        lines.compact.join("\n  ")
      end

      def building(step, index)
        stored = step.plan ? target("built_target", step, index) : plain_value(step, index)
        lines = [reader(step, index), "hash[#{step.key.inspect}] = #{stored}#{"; column = nil" if columns?}"]
        lines = ["hash[#{step.key.inspect}] = #{json_call("parsed", step, index)}"] if json_column?(step, index)
        lines = [lines[0], "unless ::Katsu::Serializer::SKIP.equal?(value)", lines[1], "end"] if step.call
        lines = guarded(step, index, lines)
        lines.join("\n  ")
      end

      # Lines that are run only where the step's conditions hold and its depth is not used up.
      def guarded(step, index, lines)
        unless step.conditions.empty?
          holds = step.conditions.map { |condition| "#{"!" unless condition.wanted}#{method_call(condition.call)}" }.join(" && ")
          lines = ["field = #{step.name.inspect}; holds = #{holds}; field = nil", "if holds", *lines, "end"]
        end
        step.limited? ? ["unless batch.used_up?(identity#{index}, #{step.depth})", *lines, "end"] : lines
      end

      # Code for value as it stands in a Hash.
      def plain_value(step, index)
        [*codes(step, index).map { |code| "#{code.built_if} ? #{code.built}" }, "::Katsu::AsJson.#{@own ? "of_any" : "of"}(value)"].join(" : ")
      end

      def key_line(step, index, opens)
        return "out << #{"opening << " if opens}#{key_text(step, index)}" if certain_comma?(index)

        "out << (out.end_with?(\"{\") ? #{step.json_key.dump} : #{",#{step.json_key}".dump})"
      end

      # The key with its comma, as Ruby.
      def key_text(step, index)
        (index.zero? ? step.json_key : ",#{step.json_key}").dump
      end

      # True where this key is the first one, or a key before it is always written.
      def certain_comma?(index)
        index.zero? || @plan.steps.first(index).any? { |before| always?(before) }
      end

      # A call of the batch that writes or builds an association.
      def target(call, step, index)
        line = "batch.#{call}(sub#{index}, :#{step.kind}, value, #{step.name.inspect}, serializer)"
        step.limited? && !step.plan.is_a?(::Katsu::Plan::Polymorphic) ? "batch.within(identity#{index}, 0) { #{line} }" : line
      end

      # Lines that append the key and value; where the comma is certain, the key together with what the value begins with.
      def put(step, index, opens, closes)
        key = key_line(step, index, opens)
        closing = "\n  out << \"}\"" if closes
        return "#{key}\n  #{target("target", step, index)}" if step.plan
        return "#{key}\n  #{json_call("json", step, index)}#{closing}" if json_column?(step, index)

        together = certain_comma?(index)
        before = "#{"\#{opening}" if opens}#{key_text(step, index)[1..-2]}" if together
        ways = codes(step, index).map { |code| "#{code.text_if} then #{appends("#{before}#{code.text}#{"}" if closes}")}" }.join("\n  elsif ")
        long = "batch.value(value, #{step.name.inspect})#{closing}"
        together ? "if #{ways}\n  else #{key}\n  #{long}\n  end" : "#{key}\n  if #{ways}\n  else #{long}\n  end"
      end

      # Appends the inside of a double-quoted String, part by part: to make the String takes longer than the appends. All of it is
      # UTF-8, or ASCII.
      def appends(text)
        parts = text.split(/(?<!\\)\#{(.*?)}/).each_with_index.map { |part, index| index.odd? ? "(#{part}).to_s" : "\"#{part}\"" }
        parts = parts.reject { |part| part == '""' }
        AS_BYTES ? "out.append_as_bytes(#{parts.join(", ")})" : ["out", *parts].join(" << ")
      end

      # The short cuts for value: of a column by its cast.
      def codes(step, index)
        ValueCode.all(step.kind == :attribute ? cast(index) : nil, "value")
      end

      def json_column?(step, index)
        step.kind == :attribute && cast(index) == :json
      end

      def cast(index)
        access = @accesses[index]
        access.how == Source::COLUMN ? Cast.name_of(access.cast) : nil
      end
    end
  end
end
