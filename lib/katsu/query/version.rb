# frozen_string_literal: true

require_relative "../plan/digest"
require_relative "../plan/model_digest"
require_relative "settled"

module Katsu
  module Query
    # What tells one state of a document from another without writing it, for HTTP and for caches.
    module Version
      class << self
        # A String, or nil if something that the document is made of has no version: records have one if their table has
        # updated_at, contexts and scopes if they are such records or plain values. one: true for a document of one.
        def of(plan, source, context, scope, one:)
          viewer = [part(context), part(scope)]
          source = unmemoized(source)
          settled = Settled.new
          return if viewer.include?(nil) || !versioned?(source) || !settled.plan?(plan, source)

          models = models(source).map { |model| of_model(plan, model) }
          return if models.include?(nil)

          require "active_support/cache"
          around = [viewer, settings, *models, settled.loaded, Caching::Rules.of(plan).varied(context, scope)]
          around = ::Digest::SHA256.hexdigest(around.inspect)[0, 32] # so that no separator of a key stands in it
          kind = one ? "one" : "many"
          ::ActiveSupport::Cache.expand_cache_key(["katsu", kind, Plan::Digest.of(plan), source, around])
        end

        # What the JSON of equal records depends on besides.
        def settings
          [VERSION, (::I18n.locale if defined?(::I18n)), (::Time.zone&.name if ::Time.respond_to?(:zone)),
           ::ActiveRecord.default_timezone, ::ActiveSupport::JSON::Encoding.time_precision,
           ::ActiveSupport::JSON::Encoding.use_standard_json_time_format, encryptor, *overrides]
        end

        # What tells a context, a scope or another value from every other, or nil. A class of the application's may have
        # an inspect that hides its values.
        def part(value)
          case value
          when nil, true, false, ::Symbol, ::Integer, ::Float, ::Rational, ::Complex, ::BigDecimal then value.inspect
          when ::String then ::String.instance_method(:inspect).bind_call(value)
          when ::Array then parts(value)
          when ::Hash then (found = parts(value.to_a)) && "{#{found}}"
          else
            "#{value.class} #{value.cache_key_with_version}" if Query.record?(value) && versioned?(value)
          end
        end

        private

        # Which encrypted attributes are read as text, and which as they are stored; nil if no model has any.
        def encryptor
          return if ::ActiveRecord.autoload?(:Encryption)

          ::ActiveRecord::Encryption.context.encryptor.class.name
        end

        # The as_json of the application's for values such as times.
        def overrides
          serial, found = @overrides
          return found if serial == AsJson::Overrides.serial

          (@overrides = [AsJson::Overrides.serial, Plan::Digest.of_methods(AsJson::Overrides.own_methods)]).last
        end

        # A relation keeps its version for good, and a document may outlive it.
        def unmemoized(source)
          Query.relation?(source) && !source.loaded? && !RelationChecks.of_owner(source) ? source.spawn : source
        end

        def models(source)
          return [source.klass] if Query.relation?(source)

          source.is_a?(Array) ? source.map(&:class).uniq : [source.class]
        end

        # Of several databases each may have a record of that id.
        def of_model(plan, model)
          digest = Plan::ModelDigest.of(plan, model)
          [model.name, *Plan::ModelDigest.models(plan, model).map(&:current_shard), digest] if digest
        end

        def parts(values)
          found = values.map { |value| part(value) }
          found.inspect unless found.include?(nil)
        end

        def versioned?(source)
          return relation_versioned?(source) if Query.relation?(source)
          return source.all? { |element| record_versioned?(element) } if source.is_a?(Array)

          record_versioned?(source)
        end

        def record_versioned?(record)
          Query.record?(record) && saved_record?(record) && selected_as_they_are?(record)
        end

        # False of a record with methods of its own, too.
        def saved_record?(record)
          record.persisted? && !record.changed? && timestamped?(record.class) && record.singleton_methods.empty? &&
            record.has_attribute?("updated_at") && !record.updated_at.nil?
        end

        # False of a record that has other values than those of its table.
        def selected_as_they_are?(record)
          types = record.class.attribute_types
          record.attribute_names.all? { |name| types.key?(name) }
        end

        # Rails makes a relation's version of the number of records and the newest updated_at. If there are records and
        # none has a time, it is only a number, which is no version.
        def relation_versioned?(relation)
          return false unless RelationChecks.versioned?(relation) && timestamped?(relation.klass) && saved?(relation)
          return relation.to_a.all? { |record| saved_record?(record) } if relation.loaded?

          /query-\h+-(0|\d+-\d+)\z/.match?(relation.cache_key_with_version)
        end

        # False of an association that holds objects that were built or changed.
        def saved?(relation)
          return true unless relation.is_a?(::ActiveRecord::Associations::CollectionProxy)

          association = relation.proxy_association
          association.owner.persisted? && association.target.all? { |target| target.persisted? && !target.changed? }
        end

        def timestamped?(model)
          model.column_names.include?("updated_at")
        end
      end
    end
  end
end
