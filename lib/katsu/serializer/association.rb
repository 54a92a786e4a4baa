# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared has_one or has_many. serializer: a class, its name, a Hash of them by the objects' classes, or nil if
    # it is found by the association's name.
    class Association
      OPTIONS = %i[serializer each_serializer name only except if unless needs depth view by].freeze

      # The name of a class that may be given as itself.
      def self.class_name(klass) = klass.is_a?(Class) ? klass.name : klass.to_s

      attr_reader :owner, :identity, :name, :key, :kind, :serializer, :only, :except, :call, :conditions, :needs,
                  :depth, :view, :object_key

      # owner: the class that declares it. kind: :has_one or :has_many. options: see DSL#has_one. call: the Call that
      # gives the object or objects, or nil. place: what tells the block that declared the serializer from others,
      # or nil. Raises ArgumentError and InvalidFilterError.
      def initialize(owner, kind, name, options, call: nil, place: nil)
        what = "#{kind} #{name.inspect}"
        Keywords.check_declared(owner, what, options, OPTIONS)
        @owner = owner
        @identity = Object.new.freeze # the same in all plans
        @kind = kind
        @name = name
        @key = options.key?(:name) ? Names.key(owner, "#{what}, name", options[:name]) : name.name
        @serializer = Filters.frozen_copy(given_serializer(what, options))
        @only = Filters.frozen_copy(given_filter(what, :only, options))
        @except = Filters.frozen_copy(given_filter(what, :except, options))
        @call = call
        @place = place
        @conditions = Condition.of(owner, what, options)
        @needs = Needs.of(owner, what, options)
        @depth = checked_depth(what, options)
        @view = options[:view] && Names.check(owner, "#{what}, view", options[:view])
        @object_key = checked_object_key(what, options)
        freeze
      end

      # Two declarations of equal signature mean the same.
      def signature
        [@kind, @name, @key, @place || @serializer, @only, @except, @depth, @call&.meaning,
         @conditions.map(&:signature), @needs, @view, @object_key&.meaning]
      end

      # For messages and consoles.
      def inspect
        word = @call&.itself? ? :nested : @kind
        "#{word} #{@name.inspect}#{", name: #{@key.inspect}" if @key != @name.name}" \
          "#{", by: #{@object_key.inspect}" if @object_key}"
      end

      private

      def given_serializer(what, options)
        words = %i[serializer each_serializer].select { |word| options.key?(word) }
        refuse(what, "has serializer: and each_serializer:; give one of them") if words.size > 1
        return if words.empty?

        given = options[words[0]]
        accepted = given.is_a?(Hash) ? by_class?(given) : one?(given)
        return given if accepted

        refuse(what, "has #{words[0]}: #{given.inspect}; accepted are a subclass of Katsu::Serializer, its name, " \
                     "and a Hash of these by the objects' classes, such as {\"Post\" => PostSerializer}")
      end

      def one?(given)
        given.is_a?(Class) ? given < Serializer : (given.is_a?(String) || given.is_a?(Symbol)) && !given.empty?
      end

      def by_class?(map)
        return false if map.empty? || map.keys.uniq { |klass| Association.class_name(klass) }.size < map.size

        map.all? { |klass, given| class_name?(klass) && one?(given) }
      end

      def class_name?(klass)
        klass.is_a?(Class) ? !klass.name.nil? : klass.is_a?(String) || klass.is_a?(Symbol)
      end

      def given_filter(what, option, options)
        filter = options[option]
        return filter if filter.nil? || filter.is_a?(Array) || filter.is_a?(Hash)

        raise InvalidFilterError.shape(@owner, "#{what}, #{option}", filter)
      end

      def checked_depth(what, options)
        depth = options[:depth]
        return depth if depth.nil? || (depth.is_a?(Integer) && !depth.negative?)

        refuse(what, "has depth: #{depth.inspect}; accepted are 0, 1, 2, ...")
      end

      def checked_object_key(what, options)
        refuse(what, "has by: and writes one object; by: is for has_many") if options[:by] && @kind == :has_one
        ObjectKey.of(@owner, what, options)
      end

      def refuse(what, message)
        raise ArgumentError, "#{@owner}: #{what} #{message}"
      end
    end
  end
end
