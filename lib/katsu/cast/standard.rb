# frozen_string_literal: true

module Katsu
  module Cast
    # Whether the values that are written without a call have the as_json that ActiveSupport gave them. Where the
    # application has defined another one, they are asked, and casts that stand for it are not used.
    #
    # A serializer cannot look that up for each value. So the classes tell when their as_json may have changed: when a
    # method of that name is defined in them, or when a module is included or prepended.
    module Standard
      # What tells; it stands before the singleton class of each.
      module Noticing
        def include(*) = super.tap { Standard.look }
        def prepend(*) = super.tap { Standard.look }

        private

        def method_added(name)
          super
          Standard.look if name == :as_json
        end

        def method_removed(name)
          super
          Standard.look if name == :as_json
        end

        def method_undefined(name)
          super
          Standard.look if name == :as_json
        end
      end

      # Classes of values by name, as some are in libraries that may not be loaded; those that any value may hold, first.
      CORE = %w[String Symbol Integer Float NilClass TrueClass FalseClass Array Hash].freeze
      CLASSES = [*CORE, "Time", "Date", "DateTime", "BigDecimal", "ActiveSupport::TimeWithZone"].freeze
      # The classes of the values that each cast stands for; NilClass is of all.
      OF_CAST = Ractors.share(
        string: %w[String], integer: %w[Integer], float: %w[Float], boolean: %w[TrueClass FalseClass], datetime: %w[Time],
        zoned_datetime: %w[Time ActiveSupport::TimeWithZone], date: %w[Date], json: CORE, decimal: %w[BigDecimal]
      )
      # Where ActiveSupport defines as_json.
      FILES = ["/active_support/core_ext/object/json.rb", "/active_support/time_with_zone.rb"].freeze
      # What is written in a way of its own.
      WRITTEN = [Fragment, Stream, JSON_FRAGMENT].compact.freeze
      private_constant :CORE, :CLASSES, :OF_CAST, :FILES, :WRITTEN

      @watched = []
      @serial = 0
      @own = false

      class << self
        # Counts changes; what was decided under an older one has to be decided again.
        attr_reader :serial

        # True where one of the classes has an as_json of the application's.
        def own? = @own

        # Looks at the classes, those loaded meanwhile too, and begins to watch them. Only the main Ractor can.
        def watch
          return unless Ractors.main?

          unwatched = CLASSES.filter_map { |name| constant(name) }.flat_map { |klass| watchable(klass) }.uniq - @watched
          return if unwatched.empty?

          unwatched.each { |part| part.singleton_class.prepend(Noticing) }
          @watched = [*@watched, *unwatched]
          look
        end

        # Called by Noticing.
        def look
          own = CLASSES.any? { |name| !standard?(name) }
          Native.own_as_json(own, !standard?("Integer")) if defined?(Native)
          return unless Ractors.main?

          @serial += 1
          @own = own
          watch
        end

        # True where what the cast writes is the as_json of its values.
        def cast?(name)
          OF_CAST.fetch(name).all? { |value| standard?(value) } && standard?("NilClass")
        end

        # True where values of the class of that name are written as they are, or as ActiveSupport does.
        def standard?(name)
          klass = constant(name)
          return true unless klass&.method_defined?(:as_json)

          method = klass.instance_method(:as_json)
          rails = method.source_location&.first.to_s.end_with?(*FILES)
          [klass, ::Numeric].include?(method.owner) ? rails : !rails && ::Object <= method.owner
        end

        # What a value's as_json gives, as the result of which no String, Integer, Hash ... is asked again.
        def ask(value)
          case value
          when *WRITTEN then value
          else Plain.responds?(value, :as_json) ? value.as_json : value
          end
        end

        private

        # What a value's as_json may come from. What every object has, it comes from only where nothing else does.
        def watchable(klass)
          klass.ancestors.take_while { |part| !part.equal?(::Object) }
        end

        def constant(name)
          name.split("::").inject(::Object) do |scope, part|
            break unless scope.const_defined?(part, false) && !scope.autoload?(part)

            scope.const_get(part, false)
          end
        end
      end
    end
  end
end
