# frozen_string_literal: true

module Katsu
  module Source
    # Notices that a model which was bound has been given another method, or has lost one: its reader of a column may be
    # another one by now, as when a test stubs it for all records. The same for the class methods that make records.
    # What was decided of the model is decided again then.
    module ModelWatch
      # Reports to ModelWatch; prepended to the singleton class of a class or module.
      module Noticing
        def include(*) = super.tap { ModelWatch.notice(self) }
        def prepend(*) = super.tap { ModelWatch.notice(self) }
        def extend(*) = super.tap { ModelWatch.notice(self) }

        # A model's alias_attribute defines the method in the module of the readers of columns, which is not watched.
        # ActiveRecord repeats the alias of the id each time it loads the columns; that changes nothing. A module has
        # ActiveSupport's alias_attribute, whose methods method_added reports.
        def alias_attribute(name, *)
          return super unless respond_to?(:attribute_aliases)

          before = attribute_aliases[name.to_s]
          super.tap { ModelWatch.notice(self) unless attribute_aliases[name.to_s] == before }
        end

        private

        def method_added(name)
          super
          ModelWatch.notice(self)
        end

        def method_removed(name)
          super
          ModelWatch.notice(self)
        end

        def method_undefined(name)
          super
          ModelWatch.notice(self)
        end

        def singleton_method_added(name)
          super
          ModelWatch.notice(self) if Query::ModelChecks.loader?(name)
        end

        def singleton_method_removed(name)
          super
          ModelWatch.notice(self) if Query::ModelChecks.loader?(name)
        end
      end
      BOUND = :@katsu_bound # a variable of what was bound
      private_constant :Noticing, :BOUND

      class << self
        # Begins to watch a model, its superclasses up to ActiveRecord::Base, and the modules that they include, but for
        # those of ActiveRecord::Base and those in which ActiveRecord defines the readers of columns. Called each time
        # the model is bound, as it may have other modules.
        def watch(model)
          return unless Ractors.main?

          own = model.ancestors.take_while { |part| !part.equal?(::ActiveRecord::Base) }
          [*own, ::ActiveRecord::Base].each do |part|
            next if part.instance_variable_defined?(BOUND)
            next if part.is_a?(::ActiveRecord::AttributeMethods::GeneratedAttributeMethods)
            next if part.frozen? || part.singleton_class.frozen?

            part.instance_variable_set(BOUND, true)
            part.singleton_class.prepend(Noticing)
            part.singleton_class.singleton_class.prepend(in_front_of(part)) if part.is_a?(Class)
          end
        end

        # Called when a class or module has changed.
        def notice(part)
          AsJson::Overrides.renew if part.instance_variable_defined?(BOUND)
        end

        private

        # What notices that a module is put in front of the class methods of a class, or among them. Its subclasses have
        # their own.
        def in_front_of(part)
          own = part.singleton_class
          Module.new do
            %i[include prepend].each do |name|
              define_method(name) { |*modules| super(*modules).tap { ModelWatch.notice(part) if equal?(own) } }
            end
          end
        end
      end
    end
  end
end
