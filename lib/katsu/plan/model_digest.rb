# frozen_string_literal: true

require "digest"

module Katsu
  class Plan
    # What tells the JSON of a plan's records from another one of equal values, also after a deployment: the files in
    # which methods of the model are written that the plan reads, and the types of the columns.
    module ModelDigest
      LIMIT = 256
      TYPE = %i[type precision scale limit].freeze
      private_constant :LIMIT, :TYPE

      # By plan and models: the digest, and the types of all models that it is of.
      @kept = Findings.new(LIMIT)

      class << self
        # 32 hexadecimal digits, of the plan and of what its associations lead to, the model's subclasses included; nil
        # if an association is polymorphic, as its models are not known.
        def of(plan, model)
          models = [model, *model.descendants]
          digest, types = @kept.find(plan, models)
          return digest if types&.all? { |met, known| met.attribute_types.equal?(known) }

          @kept.store(plan, models, made(plan, models)).first
        end

        # 16 hexadecimal digits, of the plan's own steps.
        def own(plan, model)
          steps = plan.steps.zip(Source.bind(plan, model)[2]).reject { |step, _| step.plan || step.call&.itself? }
          columns = steps.filter_map { |_, access| access.column if access.how == Source::COLUMN }
          parts = [*files(plan, model, steps), *columns.map { |name| type(model, name) }]
          ::Digest::SHA256.hexdigest(parts.join("\n"))[0, 16]
        end

        # Forgets the classes of before, as they are loaded again.
        def forget
          @kept.clear
        end

        private

        def made(plan, models)
          digests = {}.compare_by_identity
          known = models.all? { |model| add(digests, plan, model) }
          types = digests.values.flat_map(&:keys).to_h { |met| [met, met.attribute_types] }
          [known ? ::Digest::SHA256.hexdigest(digests.values.flat_map(&:values).join)[0, 32] : nil, types]
        end

        # digests: by plan and model. False if a model is not known.
        def add(digests, plan, model)
          return true if digests.dig(plan, model)

          (digests[plan] ||= {}.compare_by_identity)[model] = own(plan, model)
          plan.steps.all? { |step| step.plan.nil? || add_below(digests, step, model) }
        end

        def add_below(digests, step, model)
          return add(digests, step.plan, model) if step.call&.itself?
          return true unless (reflection = model.reflect_on_association(step.name))
          return false if reflection.polymorphic? || !step.plan.is_a?(Plan)

          [reflection.klass, *reflection.klass.descendants].all? { |klass| add(digests, step.plan, klass) }
        end

        def type(model, column)
          type = model.type_for_attribute(column)
          said = TYPE.map { |name| type.public_send(name) if type.respond_to?(name) }
          [column, type.class.name, *said, coder(type), model.defined_enums[column]].inspect
        end

        # Of a serialized column.
        def coder(type)
          coder = type.coder if type.respond_to?(:coder)
          coder.is_a?(Module) ? coder.name : coder.class.name
        end

        # What the files hold.
        def files(plan, model, steps)
          names = steps.filter_map { |step, access| step.name if access.how == Source::METHOD }
          methods = names.map { |name| model.instance_method(name) } + key_methods(plan, model)
          files = methods.filter_map { |method| method.source_location&.first }.uniq.sort
          files.select { |file| File.file?(file) }.map { |file| ::Digest::SHA256.file(file).hexdigest }
        end

        # The methods of models that by: names.
        def key_methods(plan, model)
          plan.steps.filter_map do |step|
            name = step.object_key&.name
            reflection = model.reflect_on_association(step.name) if name
            next if reflection.nil? || reflection.polymorphic? || reflection.klass.attribute_types.key?(name.name)

            reflection.klass.instance_method(name) if reflection.klass.method_defined?(name)
          end
        end
      end
    end
  end
end
