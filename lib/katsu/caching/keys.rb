# frozen_string_literal: true

module Katsu
  module Caching
    # The keys of one call: all that the JSON of a record depends on.
    class Keys
      UNVERSIONED = :katsu_unversioned
      private_constant :UNVERSIONED

      # rule: the Serializer::CacheRule. Raises Error for a vary: that gives what has no version.
      def initialize(plan, rule, context, scope)
        @plan = plan
        @rule = rule
        @context = context
        @scope = scope
        @shapes = {}.compare_by_identity
        @shards = {}.compare_by_identity
        @versions = {}.compare_by_identity
        @instances = {}.compare_by_identity
        @needed = {}.compare_by_identity
        @prefix = "katsu/#{named(plan.serializer)}/#{::Digest::SHA256.hexdigest(call_parts.inspect)[0, 32]}/"
      end

      # The keys of objects, as of gives each.
      def all(objects)
        @needed.clear
        keys = made_at_once(objects)
        return objects.map { |object| of(object) } unless keys

        keys.each_with_index { |key, index| keys[index] = of(objects[index]) unless key } unless keys.all?
        keys
      end

      # The key of an object; nil if it is no record, or has changes that are not saved, or no version.
      def of(object)
        return unless Query.record?(object)

        shape = shape(@plan, object)
        version = shape.version(object)
        return unless version

        whole("#{@prefix}#{shard(object.class)}#{version}", shape, object, false)
      end

      private

      # The keys that the native backend makes, with nil for each that it leaves to Ruby; nil if it leaves all to Ruby.
      def made_at_once(objects)
        first = objects.first
        return unless defined?(Native) && Query.record?(first)

        shape = shape(@plan, first)
        before, after, names, texts = shape.parts
        return unless before

        before = "#{@prefix}#{shard(first.class)}#{before}"
        keys = Native.record_keys(objects, first.class, before, after, names, texts)
        all_saved = saved?(shape, keys.all? ? objects : objects.zip(keys).filter_map { |object, key| object if key })
        return keys if all_saved && !shape.below?

        keys.zip(objects).map { |key, object| key && whole(key, shape, object, all_saved) }
      end

      # What is the same for all records of the call.
      def call_parts
        varied = Rules.of(@plan).varied(@context, @scope)
        [Plan::Digest.of(@plan), varied, chosen, *Query::Version.settings]
      end

      # The plans that polymorphic associations may choose, if touch: leaves the objects out, by which add finds them.
      def chosen
        return unless @rule.touch?

        met = {}.compare_by_identity
        choose(@plan, met)
        met.keys.grep(Plan).map { |plan| Plan::Digest.of(plan) }
      end

      def choose(plan, met)
        return if met[plan]

        met[plan] = true
        below = plan.is_a?(Plan::Polymorphic) ? plan.plans(@context, @scope) : plan.steps.filter_map(&:plan)
        below.each { |one| choose(one, met) }
      end

      # A class without a name has the same text as another one some time.
      def named(serializer)
        return serializer.name if serializer.name

        raise Error, "#{serializer}: a serializer that is cached needs a name, such as PostSerializer = Class.new(...)"
      end

      def shape(plan, record)
        shapes = @shapes[plan] ||= {}.compare_by_identity
        shapes[record.class] ||= Shape.of(plan, record.class, plan.equal?(@plan) ? @rule : nil, @rule.varies?)
      end

      # Of several databases each may have a record of that id.
      def shard(model)
        @shards[model] ||= model.current_shard == :default ? "" : "#{model.current_shard}/"
      end

      def version(shape, record)
        shape.version(record) || throw(UNVERSIONED)
      end

      # key with what is read below the record; nil if something there has no version.
      def whole(key, shape, object, saved)
        return unless saved || saved?(shape, [object])

        shape.below? ? with_below(key, shape, object) : key
      end

      def saved?(shape, objects) = shape.touched.nil? || shape.touched.saved?(objects, @context, @scope)

      def with_below(key, shape, object)
        catch(UNVERSIONED) do
          below = []
          add_below(below, shape, object, {}.compare_by_identity, 1)
          "#{key}/#{::Digest::SHA256.hexdigest(below.join(","))[0, 32]}"
        end
      end

      # The versions of what is written and read below a record. within: how often each association with a depth is
      # entered.
      def add_below(below, shape, record, within, depth)
        throw(UNVERSIONED) if depth > Limits::POLYMORPHIC_DEPTH
        shape.steps.each do |step|
          next if step.depth && within.fetch(step.identity, 0) >= step.depth
          next below << "!" unless keyed { written?(step, shape.serializer, record) }

          inner = step.depth ? within.merge(step.identity => within.fetch(step.identity, 0) + 1) : within
          same = step.call&.itself?
          target = same ? record : keyed { record.public_send(step.name) }
          each_of(below, target) { |object| add(below, step.plan, object, inner, depth, same) }
        end
        shape.needs.each { |tree| add_needs(below, tree, record) }
      end

      # True if the conditions of a step hold, which run in the serializer.
      def written?(step, serializer, record)
        return true if step.conditions.empty?

        instance = @instances[serializer] ||= Serializer::Call.instance(serializer, @context, @scope)
        step.conditions.all? do |condition|
          (condition.call.result(instance, record) ? true : false) == condition.wanted
        end
      end

      # Runs the block, which calls the application's code. If it raises, the record has no key. It is written then,
      # which raises the error with its path.
      def keyed
        yield
      rescue StandardError
        throw(UNVERSIONED)
      end

      def add(below, plan, object, within, depth, same)
        if plan.is_a?(Plan::Polymorphic)
          plan = keyed { plan.plan_for(object, @context, @scope) }
          below << Plan::Digest.of(plan)
        end
        throw(UNVERSIONED) unless Query.record?(object)
        shape = shape(plan, object)
        below << "#{shard(object.class)}#{version(shape, object)}" unless same
        add_below(below, shape, object, within, depth + 1)
      end

      def add_needs(below, tree, record)
        tree.each do |name, inner|
          next unless Source::RecordSource.reflection(record.class, name)

          each_of(below, keyed { record.public_send(name) }) do |object|
            below << (needed(inner, object) || throw(UNVERSIONED))
          end
        end
      end

      # The version of an object and of what is needed of it, found out once: many records may have the same object. nil
      # if something there has none.
      def needed(tree, object)
        known = @needed[tree] ||= {}.compare_by_identity
        known.fetch(object) do
          known[object] = catch(UNVERSIONED) do
            version = @versions[object.class] ||= RecordVersion.new(object.class)
            below = [shard(object.class) + ((version.any? && version.of(object)) || throw(UNVERSIONED))]
            add_needs(below, tree, object)
            below.size == 1 ? below[0] : ::Digest::SHA256.hexdigest(below.join(","))[0, 32]
          end
        end
      end

      # Brackets tell one association's records from the next one's.
      def each_of(below, target, &block)
        return below << "-" if target.nil?
        return yield target if Query.record?(target)

        below << "["
        target.respond_to?(:to_a) ? target.to_a.each(&block) : throw(UNVERSIONED)
        below << "]"
      end
    end
  end
end
