# frozen_string_literal: true

require_relative "../instrumentation"
require_relative "lookup"

module Katsu
  module Rails
    # One call of `render json:`.
    class RenderCall
      SERIALIZERS = %i[serializer each_serializer].freeze
      # Classes of gems that take serializer: and each_serializer: of render json: too, and what these gems put into
      # controllers for that. Without it Rails would ignore the option and write all of a record.
      OTHERS = {
        "ActiveModel::Serializer" => "ActionController::Serialization",
        "ActiveModel::Serializer::CollectionSerializer" => "ActionController::Serialization",
        "OjSerializers::Serializer" => "OjSerializers::ControllerSerialization"
      }.freeze
      KATSU = [*SERIALIZERS, *Serializer::Rendering::OPTIONS].freeze
      # What render itself takes, and what Rails adds to it.
      RAILS = %i[action allow_other_host assigns callback content_type escape formats handlers html json layout locals
                 location partial prefixes status stream template variant variants].freeze
      # Of options that are not Katsu's: what Rails hands on to as_json.
      AS_JSON = %i[only except methods include].freeze
      # Nobody nests documents deeper in what is rendered; what is deeper Rails writes, by its as_json.
      MAX_SEARCHED = 4
      ESCAPES = {"<" => "\\u003c", ">" => "\\u003e", "&" => "\\u0026",
                 "\u2028" => "\\u2028", "\u2029" => "\\u2029"}.freeze
      NO_STREAM = "stream: is for a collection, such as PostSerializer.many(posts)"
      private_constant :SERIALIZERS, :OTHERS, :KATSU, :RAILS, :AS_JSON, :MAX_SEARCHED, :ESCAPES, :NO_STREAM

      def initialize(controller, options)
        @controller = controller
        @options = options
        @value = options[:json]
      end

      # The document that is written while it is sent, if stream: true asks for that.
      attr_reader :stream

      # The JSON, or nil if this is not for Katsu; empty if there is a stream.
      def json
        json = written
        json && (@options[:callback].present? || @options[:escape]) ? json.gsub(/[<>&\u2028\u2029]/, ESCAPES) : json
      end

      # The options of Rails' own rendering of the json. A serializer in them would be taken by another gem.
      def rest(json) = @options.except(*SERIALIZERS).merge(json: json)

      private

      def written
        word = SERIALIZERS.find { |name| @options.key?(name) }
        return by_serializer(word) if word && !of_other_gem?(@options[word])
        return if word
        return document if document?(@value)

        check_spelling
        return in_values if documents_within?(@value, 0)

        by_model
      end

      # By the name of the model, if the controller looks for it.
      def by_model
        return if !@controller.class.katsu_default_serializers || @value.is_a?(String)

        found = Lookup.serializer(@controller.class, @value)
        found && rendered(found, Serializer::Rendering.many?(@value))
      end

      def of_other_gem?(serializer)
        return false unless serializer.is_a?(Class)

        added = OTHERS.values_at(*serializer.ancestors.map(&:name)).compact.first
        !added.nil? && @controller.class.ancestors.any? { |parent| parent.name == added }
      end

      def by_serializer(word)
        check_serializer(word)
        serializer = @options[word]
        return mixed(serializer) if serializer.is_a?(Hash)

        many = word == :each_serializer
        if !many && Serializer::Rendering.many?(@value)
          refuse("serializer: is for one object and was given a #{@value.class}; write each_serializer:")
        end
        rendered(serializer, many)
      end

      def check_serializer(word)
        both = SERIALIZERS.all? { |name| @options.key?(name) }
        refuse("has serializer: and each_serializer:; give one of them") if both
        given = @options[word]
        accepted = given.is_a?(Class) ? given < Serializer : given.is_a?(Hash) && word == :each_serializer
        refuse("#{word}: #{given.inspect} is no subclass of Katsu::Serializer") unless accepted
        refuse("#{word}: the text of a String is written as it is; give the object") if @value.is_a?(String)
        refuse("#{word}: a #{@value.class} has its serializer; leave the option out") if document?(@value)
      end

      # A collection of objects of several serializers.
      def mixed(map)
        check_options(KATSU)
        options = @options.slice(*Serializer::Keywords::MANY)
        options[:scope] = @controller.katsu_scope unless options.key?(:scope)
        envelope = Envelope.of(ArraySerializer, @options[:root], @value, @options)
        document = ArraySerializer.new(@value, {each_serializer: map, **options})
        Source.refuse_single(map.values.first, nil, nil) if @value.nil? # ArraySerializer would write null
        document.__send__(:preload) if defined?(::ActiveRecord::Base) && Serializer::Rendering.many?(@value)
        enveloped(document, envelope)
      end

      def rendered(serializer, many)
        check_options(KATSU)
        options = @options.slice(*Serializer::Rendering::OPTIONS)
        options[:scope] = @controller.katsu_scope unless options.key?(:scope)
        envelope = serializer.envelope(@value, many, options)
        options = options.except(*Serializer::Rendering::AROUND)
        options = serializer.__send__(:without_by, options, @value) unless many
        enveloped(many ? serializer.many(@value, options) : serializer.one(@value, options), envelope)
      end

      def document
        given = (Serializer::Keywords::MANY - %i[only except]).find { |name| @options.key?(name) }
        refuse("#{given}: is an option of the #{@value.class} that is rendered, not of render") if given
        check_options(%i[only except root meta pagination])
        check_filters if described(@value) && RenderOptions.filters?(@options)
        objects = described(@value)&.last
        objects = objects.source if objects.is_a?(Document)
        enveloped(@value, Envelope.of(@value.class, @options[:root], objects, @options), @options)
      end

      # Raises InvalidFilterError for a name that would leave out nothing.
      def check_filters
        forms = @value.__send__(:forms)
        fields = Serializer::FieldNames.new(forms)
        %i[only except].each do |option|
          unknown = Array(@options[option]).find { |name| !fields.known?(name.to_s) } or next
          known = forms.flat_map { |form| form.description.names }.uniq
          raise InvalidFilterError.unknown(forms.join(" or "), option, unknown, known)
        end
      end

      # filters: only: and except: for the document.
      def enveloped(document, envelope, filters = nil)
        return streamed(document, envelope) if stream?

        Instrumentation.render(*described(document)) { envelope.text(document.to_json(filters)) }
      end

      def stream?
        given = @options[:stream]
        return given if [true, false, nil].include?(given)

        refuse("stream: #{given.inspect}; accepted are true and false")
      end

      def streamed(document, envelope)
        refuse(NO_STREAM) unless document.is_a?(Document) && !document.single?
        refused = document.equal?(@value) ? %i[callback only except] : %i[callback]
        other = envelope.root ? :root : refused.find { |name| @options.key?(name) }
        other ||= :escape if @options[:escape]
        hint = "; #{document.serializer} declares one, root: false leaves it out" if other == :root && !@options[:root]
        refuse("stream: and #{other}: cannot be together#{hint}") if other
        @stream = document
        ""
      end

      # A document's serializer and what it writes.
      def described(document)
        case document
        when Document then [document.serializer, document]
        when ArraySerializer then [document.serializer, document.subjects]
        end
      end

      # Documents are embedded as text. Everything else is written as Rails writes it.
      def in_values
        check_options(%i[only except])
        refuse(NO_STREAM) if stream?
        Instrumentation.render { Response.new(@value).to_json(@options) }
      end

      def document?(value)
        Chunked === value
      end

      # True if the Hash or Array holds a document.
      def documents_within?(value, depth)
        inner = value.values if ::Hash === value
        inner = value if ::Array === value
        return document?(value) if inner.nil? || depth == MAX_SEARCHED

        inner.any? { |element| documents_within?(element, depth + 1) }
      end

      def check_options(known)
        unknown = @options.keys - known - RAILS
        return if unknown.empty?

        refuse("unknown option#{"s" if unknown.size > 1}: #{unknown.map(&:inspect).join(", ")}; " \
               "known are #{known.join(", ")} and those of render." \
               "#{NearestName.hint(unknown.first, known + RAILS)}")
      end

      # Rails hands options that it does not know on to as_json, which would ignore a misspelt serializer:.
      def check_spelling
        @options.each_key do |name|
          next if RAILS.include?(name) || AS_JSON.include?(name) || !name.size.between?(8, 17)

          nearest = SERIALIZERS.find { |word| NearestName.distance(name.to_s, word.name) <= 2 }
          refuse("unknown option: #{name.inspect}. Did you mean #{nearest}?") if nearest
        end
      end

      def refuse(message)
        raise ArgumentError, "render json: #{message}"
      end
    end
  end
end
