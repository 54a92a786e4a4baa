# frozen_string_literal: true

module Katsu
  module Source
    # Tells whether a library has replaced methods that read an association, as Bullet and the like do to see what is
    # read. If so, the reader of a loaded association is called too.
    #
    # Looked at again only when a module is prepended to one of these classes, or one of the methods is defined again;
    # so the answer costs nothing if nobody does it.
    module ReaderPatches
      # Values of Native.association_readers: the reader of a loaded association is not called; is called if Bullet is
      # on; is called.
      NONE = 0
      BULLET = 1
      OTHERS = 2

      ASSOCIATION = %i[reader target load_target loaded? stale_target? stale_state].freeze
      COLLECTION = %i[to_a records load_target].freeze
      BULLET_FILE = %r{/bullet/active_record\d+\.rb\z}
      private_constant :ASSOCIATION, :COLLECTION, :BULLET_FILE

      @lock = Mutex.new

      # Reports changes of a class or module to ReaderPatches.
      module Noticing
        def prepend(*)
          super.tap { ReaderPatches.notice(self) }
        end

        def include(*)
          super.tap { ReaderPatches.notice(self) }
        end

        def method_added(name)
          super
          ReaderPatches.notice(self) if ASSOCIATION.include?(name) || COLLECTION.include?(name)
        end
      end
      private_constant :Noticing

      class << self
        # Begins to watch, once ActiveRecord is loaded.
        def watch
          associations = ::ActiveRecord::Associations
          @bases = [associations::Association, associations::CollectionProxy]
          @modules = [::ActiveRecord::Relation, associations::ForeignAssociation, associations::ThroughAssociation]
          [*@bases, *@modules].each { |watched| watched.extend(Noticing) }
          @folder = folder
          look
        end

        # True if a loaded association may be read where ActiveRecord keeps it. Asked once a call by the ruby backend.
        def none?
          @found == NONE || (@found == BULLET && !bullet_on?)
        end

        # Called when owner, a class or module, has changed.
        def notice(owner)
          look if @modules.include?(owner) || @bases.any? { |base| owner <= base }
        end

        # True if Bullet is on, so that readers have to be called. The native backend asks once a call if Bullet is the
        # only library that replaced methods.
        def bullet_on?
          Ractors.main? && ::Bullet.start? ? true : false
        end

        # True if only ActiveRecord's own code decides what the reader of this association returns.
        def own_association?(klass, reflection)
          own?(klass.instance_method(:association)) &&
            reflection.extensions.none? { |extension| COLLECTION.any? { |name| extension.method_defined?(name) } }
        end

        # True if the method is ActiveRecord's own.
        def own?(method)
          file(method).start_with?(folder)
        end

        # True if the method and those that it calls by super are ActiveRecord's or ActiveModel's own.
        def own_with_super?(method)
          own = own?(method) || file(method).start_with?(folder_of(::ActiveModel))
          method = method.super_method
          own && (method.nil? || own_with_super?(method))
        end

        private

        def look
          @lock.synchronize do
            @found = found
            Native.association_readers = @found if defined?(Native)
          end
        end

        def found
          patches = methods.flat_map { |method| patches_of(method) }
          return NONE if patches.empty?

          patches.all? { |patch| BULLET_FILE.match?(file(patch)) } ? BULLET : OTHERS
        end

        def methods
          association, proxy = @bases
          methods_of(proxy, COLLECTION) +
            with_subclasses(association).flat_map { |klass| methods_of(klass, ASSOCIATION) }
        end

        def methods_of(klass, names)
          defined = names.select { |name| klass.method_defined?(name) || klass.private_method_defined?(name) }
          defined.map { |name| klass.instance_method(name) }
        end

        def with_subclasses(klass)
          [klass, *klass.subclasses.flat_map { |subclass| with_subclasses(subclass) }]
        end

        # The methods called before ActiveRecord's own.
        def patches_of(method)
          patches = []
          until method.nil? || own?(method)
            patches << method
            method = method.super_method
          end
          patches
        end

        def file(method)
          method.source_location&.first.to_s
        end

        # Of ActiveRecord's and Arel's code. Found once: own? is called for each document of a relation.
        def folder
          @folder || folder_of(::ActiveRecord)
        end

        def folder_of(library)
          "#{File.expand_path("../..", library.method(:version).source_location.first)}/".freeze
        end
      end
    end
  end
end
