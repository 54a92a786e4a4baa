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

      # By plan and models: the digest, the types of all models that it is of, and when; see AsJson::Overrides.serial.
      @kept = Findings.new(LIMIT)

      class << self
        # 32 hexadecimal digits, of the plan and of what its associations lead to, the model's subclasses included; nil
        # if an association is polymorphic, as its models are not known, or if a variable of a record is read.
        def of(plan, model) = found(plan, model).first

        # All models that it is of.
        def models(plan, model) = found(plan, model)[1].keys

        # The first step that reads a variable of the model's records, such as an attr_reader, of which no version says
        # anything; nil if none does.
        def variable(plan, model)
          steps = plan.steps.zip(Source.bind(plan, model)[2])
          steps.find { |step, access| reads_variable?(step, access, model) }&.first
        end

        # 16 hexadecimal digits, of the plan's own steps and what their needs: name.
        def own(plan, model)
          steps = plan.steps.zip(Source.bind(plan, model)[2]).reject { |step, _| step.plan || step.call&.itself? }
          columns = steps.filter_map { |_, access| access.column if access.how == Source::COLUMN }
          parts = [*Digest.of_methods(methods(plan, model, steps)), *columns.map { |name| type(model, name) }]
          ::Digest::SHA256.hexdigest(parts.join("\n"))[0, 16]
        end

        # 16 hexadecimal digits, of what the association of a step of a plan leads to, but for models that are not
        # known: those of polymorphic associations.
        def below(step, model)
          digests = {}.compare_by_identity
          add_below(digests, step, model)
          ::Digest::SHA256.hexdigest(digests.values.flat_map(&:values).join)[0, 16]
        end

        # Forgets the classes of before, as they are loaded again.
        def forget
          @kept.clear
        end

        private

        def found(plan, model)
          models = [model, *model.descendants]
          kept = @kept.find(plan, models)
          _, types, serial = kept
          fresh = serial == AsJson::Overrides.serial && types&.all? { |met, known| met.attribute_types.equal?(known) }
          fresh ? kept : @kept.store(plan, models, made(plan, models))
        end

        def reads_variable?(step, access, model)
          return false if step.plan || (step.call && !step.ruled?) || access.how != Source::METHOD

          Source::Readers.place(model.instance_method(step.name)).is_a?(Symbol)
        end

        def made(plan, models)
          digests = {}.compare_by_identity
          serial = AsJson::Overrides.serial
          known = models.map { |model| add(digests, plan, model) }.all?
          known &&= digests.none? { |one, by_model| by_model.keys.any? { |model| variable(one, model) } }
          types = digests.values.flat_map(&:keys).to_h { |met| [met, met.attribute_types] }
          [known ? ::Digest::SHA256.hexdigest(digests.values.flat_map(&:values).join)[0, 32] : nil, types, serial]
        end

        # digests: by plan and model. False if a model is not known.
        def add(digests, plan, model)
          return true if digests.dig(plan, model)

          (digests[plan] ||= {}.compare_by_identity)[model] = own(plan, model)
          plan.steps.map { |step| step.plan.nil? || add_below(digests, step, model) }.all?
        end

        def add_below(digests, step, model)
          return add(digests, step.plan, model) if step.call&.itself?
          return true unless (reflection = Source::RecordSource.reflection(model, step.name))
          return false if reflection.polymorphic? || !step.plan.is_a?(Plan)

          [reflection.klass, *reflection.klass.descendants].map { |klass| add(digests, step.plan, klass) }.all?
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

        # The methods of models that the plan reads.
        def methods(plan, model, steps)
          names = steps.filter_map { |step, access| step.name if access.how == Source::METHOD }
          found = names.map { |name| model.instance_method(name) } + key_methods(plan, model)
          plan.steps.filter_map(&:needs).inject(found) { |methods, tree| methods + needed_methods(model, tree) }
        end

        # Of a tree of names that Ruby code reads.
        def needed_methods(model, tree)
          tree.flat_map do |name, below|
            reflection = Source::RecordSource.reflection(model, name)
            next reflection.polymorphic? ? [] : needed_methods(reflection.klass, below) if reflection

            own = Source::RecordSource.own_reader_of?(model, name) # ActiveRecord's
            !own && model.method_defined?(name) ? [model.instance_method(name)] : []
          end
        end

        # The methods of models that by: names.
        def key_methods(plan, model)
          plan.steps.filter_map do |step|
            name = step.object_key&.name
            reflection = Source::RecordSource.reflection(model, step.name) if name
            next if reflection.nil? || reflection.polymorphic? || reflection.klass.attribute_types.key?(name.name)

            reflection.klass.instance_method(name) if reflection.klass.method_defined?(name)
          end
        end
      end
    end
  end
end
