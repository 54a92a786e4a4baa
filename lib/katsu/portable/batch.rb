# frozen_string_literal: true

module Katsu
  module Portable
    # One call of a plan: the output, the serializers that method fields run in, and the path for errors. The code that
    # Codegen generates calls its methods.
    #
    # An object is not asked whether it is nil: it may have a nil? of its own, or be a BasicObject, which has none.
    class Batch
      include KeyedCollections
      include Places
      include Settings
      include Texts
      include RowRuns

      attr_reader :out, :context

      # io: receives the elements of the outermost collection in chunks; nil for a String. instances: the serializers
      # of other batches of the document, see Plan.instances; nil for serializers of its own.
      def initialize(context, scope, io = nil, instances: nil)
        @io = io
        @context = context
        @scope = scope
        @out = String.new(capacity: 1024, encoding: Encoding::UTF_8)
        @path = []
        # How often each association with a depth is being written, by its identity.
        @within = Hash.new(0).compare_by_identity
        @polymorphic_depth = 0 # how many objects of polymorphic associations are being written
        @generator = Generator.new(VALUE_OPTIONS, nil, @out, @path)
        @instances = instances || ::Katsu::Plan.instances
        @codes = {}.compare_by_identity
        @overridden = AsJson::Overrides.any?
      end

      # Writes an object, or null for nil.
      def write(plan, object)
        return @out << "null" unless object || false == object
        unless plan.is_a?(::Katsu::Plan::Polymorphic)
          return code(plan, object).write(object).call(self, object, @out, "{")
        end

        within(plan.identity, 1) { write(chosen(plan, object), object) }
      end

      # The Codegen::CompiledCode of plan for objects of this one's class.
      def code(plan, object)
        codes = @codes[plan] ||= {}.compare_by_identity
        klass = Source.class_of(object)
        codes[klass] ||= Codegen.for(plan, klass) || Source.refuse_collection(plan.serializer, nil, object, @path)
      end

      # Writes the elements of a Katsu::Stream as they come.
      def write_stream(plan, stream)
        @out << "["
        @path << 0
        StreamWalk.each(stream) do |object|
          @out << "," if @path[-1].positive?
          write(plan, object)
          @path[-1] += 1
          flush if @io && @out.bytesize >= Limits::CHUNK
        end
        @path.pop
        @out << "]"
      end

      # Writes a collection: an Array, a Katsu::Stream or an object with to_a.
      def write_all(plan, objects)
        return write_stream(plan, objects) if @path.empty? && Stream === objects

        objects = elements(plan, objects)
        flushes = @io && @path.empty?
        @out << "["
        @path << nil # the index, once there is one
        plan.is_a?(::Katsu::Plan::Polymorphic) ? write_any(plan, objects, flushes) : write_each(plan, objects, flushes)
        @path.pop
        @out << "]"
      end

      # Writes what there is to the io.
      def flush
        FullWrite.call(@io, @out.dup)
        @out.clear
      end

      # An object's Hash; nil for nil.
      def build(plan, object)
        return unless object || false == object
        if plan.is_a?(::Katsu::Plan::Polymorphic)
          return within(plan.identity, 1) { build(chosen(plan, object), object) }
        end

        code(plan, object).build(object).call(self, object)
      end

      # An Array of Hashes.
      def build_all(plan, objects)
        objects = elements(plan, objects)
        index = 0
        result = []
        @path << index
        while index < objects.size
          @path[-1] = index
          result << build(plan, objects[index])
          index += 1
        end
        @path.pop
        result
      end

      # Writes a step's value.
      def value(value, name)
        @path << name
        @generator.value(@overridden ? AsJson::Overrides.apply(value) : value)
        @path.pop
      end

      # A step's value as it stands in a Hash.
      def built(value, name)
        @overridden ? AsJson.of_any(value) : AsJson.of(value)
      rescue ::StandardError => e
        ::Katsu::Generator.place_error(e, [*@path, name])
      end

      # Writes an association's object or objects.
      def write_associated(plan, kind, value, name, serializer)
        @path << name
        if kind == :has_one then write(plan, value)
        elsif value || false == value then write_all(plan, value)
        else @out << "null"
        end
        @path.pop
      rescue NumberError => e
        refuse(e, kind, value, name, serializer)
      end

      # Builds an association's object or objects.
      def build_associated(plan, kind, value, name, serializer)
        return unless value || false == value

        @path << name
        result = kind == :has_one ? build(plan, value) : build_all(plan, value)
        @path.pop
        result
      rescue NumberError => e
        refuse(e, kind, value, name, serializer)
      end

      # Writes a JSON column: its text unless the application has changed it.
      def write_json_column(serializer, record, column, name)
        raw = Source::RawColumn.text(record, column, name)
        return value(record.public_send(name), name) unless raw

        Source.refuse_json(serializer, record, path_of(name), raw) unless JsonText.valid?(raw)
        @out << raw
      end

      # The value of a JSON column in a Hash.
      def parse_json_column(serializer, record, column, name)
        raw = Source::RawColumn.text(record, column, name)
        return built(record.public_send(name), name) unless raw

        value = Cast::Json.value(record.class.attribute_types[column], raw)
        Source.refuse_json(serializer, record, path_of(name), raw) if Cast::Json::INVALID.equal?(value)
        value
      end

      # True if an association may not be nested in itself again.
      def depth_reached?(identity, depth)
        @within[identity] >= depth
      end

      # Yields while an association with a depth is being written. polymorphic: 1 for an object of a polymorphic
      # association, otherwise 0. Raises NestingError.
      def within(identity, polymorphic)
        if @polymorphic_depth + polymorphic > Limits::POLYMORPHIC_DEPTH
          raise NestingError.new(@polymorphic_depth + 1, @path)
        end

        @within[identity] += 1
        @polymorphic_depth += polymorphic
        result = yield
        @polymorphic_depth -= polymorphic
        @within[identity] -= 1
        result
      end

      # The serializer that plan's method fields and conditions run in, its object set.
      def instance(plan, object)
        instance = @instances[plan] ||= Serializer::Call.instance(plan.serializer, @context, @scope)
        instance.instance_variable_set(:@object, object)
        instance
      end

      private

      # The objects of a polymorphic association. The Array may change while it is written.
      def write_any(plan, objects, flushes)
        index = 0
        while index < objects.size
          @path[-1] = index
          @out << "," if index.positive?
          write(plan, objects[index])
          index += 1
          flush if flushes && @out.bytesize >= Limits::CHUNK
        end
      end

      # Objects by one plan, mostly of one class.
      def write_each(plan, objects, flushes)
        index = 0
        klass = code = write = pace = nil
        while index < objects.size
          object = objects[index]
          @path[-1] = index
          if object || false == object
            found = ::Object === object ? object.class : Source.class_of(object)
            unless code && found.equal?(klass) # an attribute called class may be nil
              klass = ::Class === found ? found : Source.class_of(object)
              code = code(plan, object)
              write = code.write(object)
              pace = (code.pace if objects.size >= RUN && code.rows(object))
            end
            if pace && !pace.resting?
              written = write_rows(code, objects, index, flushes)
              next index = written if written > index
            end
            pace&.wrote_one
            write.call(self, object, @out, index.positive? ? ",{" : "{")
          else
            @out << (index.positive? ? ",null" : "null")
          end
          index += 1
          flush if flushes && @out.bytesize >= Limits::CHUNK
        end
      end

      def elements(plan, objects)
        Source.elements(objects) || Source.refuse_single(plan.serializer, nil, objects, @path)
      end
    end
  end
end
