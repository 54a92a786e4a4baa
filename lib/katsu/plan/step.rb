# frozen_string_literal: true

module Katsu
  class Plan
    # One key of a plan.
    #
    # kind: :attribute (found in the object), :method (of the serializer), :has_one, :has_many. name: what is read; key:
    # the key in JSON; call: the Serializer::Call that gives the value, always of :method; conditions: an Array of
    # Serializer::Condition, which must all hold; plan: of an association, a Plan or a Polymorphic; depth: how often an
    # association may be nested in itself, nil if that is not counted; identity: an object that is the association's in
    # all plans; needs: a tree of the names that its Ruby code reads of the object, or nil if they are not declared (see
    # Serializer::Needs); rank: its place among the others, by its kind; reads: true if call reads the attribute from
    # the object; ruled: true if it does nothing more than write something else for nil; object_key: of a collection
    # that is written as a Hash, the Serializer::ObjectKey, otherwise nil; view: that of the plan, or nil.
    class Step
      # The order in which kinds are written, and their numbers in the native backend.
      KINDS = %i[attribute method has_one has_many].freeze

      attr_reader :key, :kind, :name, :call, :conditions, :plan, :depth, :identity, :needs, :rank, :object_key,
                  :view

      def initialize(key:, kind:, name:, call: nil, conditions: [], plan: nil, depth: nil, identity: nil, needs: nil,
                     rank: KINDS.index(kind), reads: false, ruled: false, object_key: nil, view: nil)
        @key = key
        @kind = kind
        @name = name
        @call = call
        @conditions = conditions
        @plan = plan
        @depth = depth
        @identity = identity
        @needs = needs
        @rank = rank
        @reads = reads ? true : false
        @ruled = ruled ? true : false
        @object_key = object_key
        @view = view
        freeze
      end

      def reads? = @reads
      def ruled? = @ruled

      # True for a step that may be left out. A method may return SKIP.
      def optional?
        !@call.nil? || !@conditions.empty?
      end

      # True if the step is left out when it is nested in itself too often.
      def limited?
        !@depth.nil?
      end

      # True of an association whose objects can be rows: one plan writes them all, and by: needs no keys of them.
      def rows?
        @plan.is_a?(Plan) && @object_key.nil?
      end

      # The key as JSON writes it, with the colon.
      def json_key
        "#{::JSON.generate(@key)}:"
      end
    end
  end
end
