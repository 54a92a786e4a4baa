# frozen_string_literal: true

module Katsu
  module AsJson
    # Whether core classes, which are written without a call, have the as_json that ActiveSupport gave them. If the
    # application has defined another one, it is called, and casts that write values of that class are not used.
    #
    # A serializer cannot look that up for each value. So the classes are watched: they report when a method of that
    # name is defined in them, or when a module is included or prepended.
    module Overrides
      # Reports to Overrides; prepended to the singleton class of each watched class or module.
      module Watch
        def include(*) = super.tap { Overrides.look }
        def prepend(*) = super.tap { Overrides.look }

        private

        def method_added(name)
          super
          Overrides.look if name == :as_json
        end

        def method_removed(name)
          super
          Overrides.look if name == :as_json
        end
      end

      # Names, as some classes are in libraries that may not be loaded. Those that any value may hold come first.
      CORE = %w[String Symbol Integer Float NilClass TrueClass FalseClass Array Hash].freeze
      CLASSES = [
        *CORE, "Time", "Date", "DateTime", "BigDecimal", "ActiveSupport::TimeWithZone", "ActiveSupport::Duration"
      ].freeze
      # The files in which ActiveSupport defines as_json.
      FILES = %w[
        /active_support/core_ext/object/json.rb /active_support/time_with_zone.rb /active_support/duration.rb
      ].freeze
      # Values that are written in a way of their own, whatever as_json they have.
      EXEMPT = [Fragment, Stream, Chunked, JSON_FRAGMENT].compact.freeze
      private_constant :CLASSES, :FILES, :EXEMPT

      @watched = []
      @serial = 0
      @any = false
      @arrays = @hashes = false

      class << self
        # Counts changes; what was decided under an older count has to be decided again.
        attr_reader :serial

        # True if one of the classes has an as_json of the application's.
        def any? = @any

        # Looks at the classes, those loaded meanwhile too, and begins to watch them. Only the main Ractor can.
        def watch
          return unless Ractors.main? # which alone has records

          unwatched = CLASSES.filter_map { |name| constant(name) }.flat_map { |klass| watchable(klass) }.uniq - @watched
          return if unwatched.empty?

          unwatched.each { |part| part.singleton_class.prepend(Watch) }
          @watched = [*@watched, *unwatched]
          look
        end

        # The as_json methods that the application has defined in these classes.
        def own_methods
          watch
          return [] unless @any

          CLASSES.reject { |name| standard?(name) }.map { |name| constant(name).instance_method(:as_json) }
        end

        # True for an Array or Hash whose as_json is not called: its values are converted one by one. That is so if its
        # class has no as_json but that of all objects, or if it has ActiveSupport's, which would take a JSON::Fragment
        # for a Struct.
        def walked?(value)
          case value
          when ::Array then value.instance_of?(::Array) && (!@arrays || standard_of?(value, ::Array))
          when ::Hash then value.instance_of?(::Hash) && (!@hashes || standard_of?(value, ::Hash))
          else false
          end
        end

        # Called by Watch: looks at the classes again.
        def look
          any = CLASSES.any? { |name| !standard?(name) }
          integers = !standard?("Integer")
          Native.own_as_json(any, integers) if defined?(Native)
          return unless Ractors.main?

          @serial += 1
          @any = any
          @integers = integers
          @arrays = own?(::Array)
          @hashes = own?(::Hash)
          watch
        end

        # Called when something else that plans depend on has changed, such as a method of a model.
        def renew
          Native.own_as_json(@any, @integers) if defined?(Native)
          @serial += 1
        end

        # True if none of the classes of those names has an as_json of the application's, nor has nil.
        def none?(names)
          names.all? { |name| standard?(name) } && standard?("NilClass")
        end

        # The value's as_json; core values in that are not asked again.
        def apply(value)
          case value
          when *EXEMPT then value
          else AsJson.defined_for?(value) ? value.as_json : value
          end
        end

        private

        # True if values of the class of that name are written as they are, or as ActiveSupport does.
        def standard?(name)
          klass = constant(name)
          return true unless klass&.method_defined?(:as_json)

          method = klass.instance_method(:as_json)
          rails = method.source_location&.first.to_s.end_with?(*FILES)
          [klass, ::Numeric].include?(method.owner) ? rails : !rails && ::Object <= method.owner
        end

        # True for a value without an as_json of its own, if no class has one of the application's.
        def standard_of?(value, klass) = !@any && value.method(:as_json).owner.equal?(klass)

        def own?(klass)
          klass.method_defined?(:as_json) && !(::Object <= klass.instance_method(:as_json).owner)
        end

        # The modules a value's as_json may come from, without Object and what is behind it: an as_json of all objects
        # is used only if there is no other.
        def watchable(klass)
          klass.ancestors.take_while { |part| !part.equal?(::Object) }
        end

        def constant(name)
          name.split("::").inject(::Object) do |scope, part|
            break unless scope.const_defined?(part, false) && !scope.autoload?(part)

            scope.const_get(part)
          end
        end
      end
    end
  end
end
