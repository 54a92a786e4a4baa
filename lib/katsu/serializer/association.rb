# frozen_string_literal: true

module Katsu
  class Serializer
    # One declared has_one or has_many. serializer: a class, a name, or nil where its own name says it.
    class Association
      OPTIONS = %i[serializer each_serializer name only except if depth].freeze

      attr_reader :owner, :identity, :name, :key, :kind, :serializer, :only, :except, :condition, :depth

      # owner: the class that declares it. kind: :has_one or :has_many. depth: how often a serializer may contain itself; see docs/serializers.md.
      def initialize(owner, kind, name, options)
        unknown = options.keys - OPTIONS
        unless unknown.empty?
          raise ArgumentError, "#{owner}: #{kind} #{name.inspect} has unknown options #{unknown.map(&:inspect).join(", ")}; " \
                               "known are #{OPTIONS.join(", ")}"
        end
        @owner = owner
        @identity = Object.new.freeze # for plans, which Ractors share: not each condition can be shared
        depth = options[:depth]
        unless depth.nil? || (depth.is_a?(Integer) && !depth.negative?)
          raise ArgumentError, "#{owner}: #{kind} #{name.inspect} has depth: #{depth.inspect}; accepted are 0, 1, 2, ..."
        end
        @kind = kind
        @name = name.to_sym
        @key = options.fetch(:name, name).to_s.dup.freeze
        @serializer, @only, @except = [options[:serializer] || options[:each_serializer], options[:only], options[:except]].map do |given|
          Plan::Cache.frozen_copy(given)
        end
        @condition = Ractors.share_proc(options[:if])
        @depth = depth
        freeze
      end
    end
  end
end
