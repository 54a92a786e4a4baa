# frozen_string_literal: true

module Katsu
  module Rails
    module Inspector
      # A serializer class in one of its views, and the model that its name speaks of.
      class Subject
        class << self
          # The serializers that have a name and declare something, by their names. Those of the application's folders
          # are loaded first.
          def serializers
            load_folders
            below(Serializer).select { |serializer| listed?(serializer) }.sort_by(&:name)
          end

          private

          def load_folders
            return unless (loader = ::Rails.autoloaders&.main)

            folders = loader.dirs.select { |folder| File.basename(folder) == "serializers" }
            folders.each { |folder| loader.eager_load_dir(folder) }
          end

          def below(parent)
            parent.subclasses.flat_map { |serializer| [serializer, *below(serializer)] }
          end

          # After a reload classes of the same name are still there; the constant says which is the present one.
          def listed?(serializer)
            return false unless serializer.name && serializer.name.safe_constantize.equal?(serializer)

            serializer.description.names.any? || serializer.description.views.any?
          end
        end

        attr_reader :serializer, :view

        def initialize(serializer, view = nil)
          @serializer = serializer
          @view = view
        end

        # The names of all fields, for only: and except:.
        def names
          @serializer.form(@view).description.names
        end

        def views = @serializer.description.views.keys

        # The file and line that the class begins in, below the application's folder; nil if it is not known.
        def place
          file, line = Object.const_source_location(@serializer.name)
          "#{file.delete_prefix("#{::Rails.root}/")}:#{line}" if file
        end

        # PostSerializer is for a Post, Admin::PostSerializer for an Admin::Post or a Post; nil if there is none.
        def model
          return @model if defined?(@model)

          @model = candidates.filter_map(&:safe_constantize).find { |found| record_class?(found) }
        end

        # A document of all records of the model.
        def many = @serializer.many(model ? model.all : [], view: @view)

        # A document of the first record.
        def one(**options) = @serializer.one(first(1), view: @view, **options)

        # The JSON of the first records; fields that are kept in a cache are written anew. only: their names, or nil.
        def json(count, only)
          plan = Caching.uncached(@serializer.form(@view).plan(only, nil))
          Query.collection(Query::Reading.new(plan, nil, nil), first(count)).generate
        end

        # What the block returns, without the query cache of the request.
        def uncached(&block)
          model ? model.uncached(&block) : yield
        end

        private

        def first(count) = model.order(model.primary_key).limit(count)

        def candidates
          parts = @serializer.name.delete_suffix("Serializer").split("::")
          Array.new(parts.size) { |index| parts.drop(index).join("::") }.reject(&:empty?)
        end

        def record_class?(found)
          defined?(::ActiveRecord::Base) && found.is_a?(Class) && found < ::ActiveRecord::Base &&
            !found.abstract_class? && found.table_exists?
        end
      end
    end
  end
end
