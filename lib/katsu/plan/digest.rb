# frozen_string_literal: true

require "digest"

module Katsu
  class Plan
    # What tells the JSON of one plan from that of another, also after a deployment: its view, the names and keys of its
    # steps, and the files in which its serializers and their methods are written.
    module Digest
      LIMIT = 512
      # Serializers declared by a block are not constants; the file of their owner covers them.
      CONSTANT = /\A[A-Z]\w*(::[A-Z]\w*)*\z/
      private_constant :LIMIT, :CONSTANT

      @kept = Findings.new(LIMIT)

      class << self
        # 32 hexadecimal digits. A plan's is made once.
        def of(plan)
          found = @kept.find(plan, :digest)
          return found if found

          digest = ::Digest::SHA256.hexdigest(text(plan))[0, 32]
          @kept.store(plan, :digest, digest)
        end

        # For each file in which methods are written: what it holds, and their lines, as one may be defined twice.
        def of_methods(methods)
          places = methods.filter_map(&:source_location).select { |file, _| File.file?(file) }.group_by(&:first)
          places.map { |file, at| [::Digest::SHA256.file(file).hexdigest, *at.map(&:last).uniq.sort].join(":") }.sort
        end

        # The serializers that write by the plan, and those that its polymorphic associations may choose.
        def serializers(plan)
          owners = []
          shape(plan, owners, {}.compare_by_identity)
          owners.uniq
        end

        # Forgets the classes of before, as they are loaded again.
        def forget
          @kept.clear
        end

        private

        def text(plan)
          owners = []
          shape = shape(plan, owners, {}.compare_by_identity)
          owners.uniq!
          files = owners.flat_map { |serializer| files(serializer) }.uniq.sort
          rules = owners.flat_map { |serializer| rules(serializer) }
          [shape, rules.inspect, *files.map { |file| ::Digest::SHA256.file(file).hexdigest }].join("\n")
        end

        # What attributes say of their values, which may come from elsewhere, such as the application's settings.
        def rules(serializer)
          description = serializer.description
          inside = description.views.values.flatten.grep(Serializer::Attribute)
          (description.attributes.values + inside).filter_map { |one| [one.key, *one.told] if one.told }
        end

        # The plan's steps as text; what stands within itself is told by its number.
        def shape(plan, owners, met)
          return "##{met[plan]}" if met[plan]

          met[plan] = met.size
          return polymorphic(plan, owners) unless plan.is_a?(Plan)

          owners << plan.serializer
          steps = plan.steps.map do |step|
            nested = shape(step.plan, owners, met) if step.plan
            conditions = step.conditions.map { |condition| [said(condition.call), condition.wanted] }
            [step.kind, step.name, step.key, step.depth, conditions, nested, *said(step.object_key)].inspect
          end
          "#{plan.serializer}#{" #{plan.steps.first.view}" if plan.steps.first&.view}(#{steps.join(",")})"
        end

        # A Call or ObjectKey, the same in each process and folder: what its code does stands in the files. nil if only
        # they tell.
        def said(code)
          file, line = code&.signature
          line ? [File.basename(file), line] : (file if file.is_a?(Symbol))
        end

        # Which plans there will be is not known before there are objects.
        def polymorphic(plan, owners)
          plan.serializers.each { |serializer| reach(serializer, owners) }
          descriptions = owners.flat_map { |serializer| descriptions(serializer) }
          plan.inspect_targets(descriptions.flat_map(&:keys).uniq)
        end

        # Adds the serializer and all that it leads to.
        def reach(serializer, owners)
          return if owners.include?(serializer)

          owners << serializer
          descriptions(serializer).flat_map { |one| one.associations.values }.each do |association|
            given = association.serializer.is_a?(Hash) ? association.serializer.values : [association.serializer]
            given.each { |one| reach(Serializer::Resolver.resolve(association, one), owners) }
          end
        end

        # What the serializer declares, without a view and in each.
        def descriptions(serializer)
          [serializer.description, *serializer.description.views.keys.map { |view| serializer.form(view).description }]
        end

        # Where the serializer, its parents and their modules are written.
        def files(serializer)
          Serializer::MethodFields.owners(serializer).flat_map do |owner|
            methods = owner.instance_methods(false) + owner.private_instance_methods(false)
            places = methods.map { |name| owner.instance_method(name).source_location }
            places << Object.const_source_location(owner.name) if owner.name&.match?(CONSTANT)
            places.compact.filter_map(&:first).select { |file| File.file?(file) }
          end
        end
      end
    end
  end
end
