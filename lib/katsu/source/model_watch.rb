# frozen_string_literal: true

module Katsu
  module Source
    # Notices that a model which was bound has been given another method, or has lost one: its reader of a column may be
    # another one by now, as when a test stubs it for all records. What was decided of the model is decided again then.
    module ModelWatch
      # Reports to ModelWatch; prepended to the singleton class of a class or module.
      module Noticing
        def include(*) = super.tap { ModelWatch.notice(self) }
        def prepend(*) = super.tap { ModelWatch.notice(self) }

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
      end
      private_constant :Noticing

      @bound = ObjectSpace::WeakMap.new

      class << self
        # Begins to watch a model, its superclasses below ActiveRecord::Base, and the modules that they include. Those
        # in which ActiveRecord defines the readers of columns are of classes of their own, and not watched.
        def watch(model)
          return if !Ractors.main? || @bound.key?(model)

          parts = model.ancestors.take_while { |part| !part.equal?(::ActiveRecord::Base) }
          parts.select! { |part| part.instance_of?(::Class) || part.instance_of?(::Module) }
          parts.reverse_each do |part| # a superclass reports for its subclasses
            @bound[part] = true
            part.singleton_class.prepend(Noticing) unless part.singleton_class < Noticing
          end
        end

        # Called when a class or module has changed.
        def notice(part)
          AsJson::Overrides.look if @bound.key?(part)
        end
      end
    end
  end
end
