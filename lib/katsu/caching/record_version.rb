# frozen_string_literal: true

module Katsu
  module Caching
    # What tells one state of a model's records from every other: model, id and updated_at.
    class RecordVersion
      METHODS = %i[cache_key_with_version cache_key cache_version].freeze
      UPDATED_AT = "updated_at"
      # Values that nobody can have changed in place.
      UNCHANGING = [::Integer, ::NilClass, ::TrueClass, ::FalseClass, ::Float, ::Time].freeze
      private_constant :METHODS, :UPDATED_AT, :UNCHANGING

      def initialize(model)
        @name = model.name # two models may have one model_name, as for their URLs
        @primary_key = model.primary_key
        @timestamped = model.columns_hash.key?(UPDATED_AT)
        @own = METHODS.any? { |name| model.instance_method(name).owner != ::ActiveRecord::Integration }
        @raw = @timestamped && !@own && @primary_key.is_a?(String)
        @texts = texts(model).freeze
        @zoned = model.attribute_types.filter_map { |name, type| name if Cast::ZonedDatetime.for?(type) }
        @rails_own = @raw && model.instance_method(:persisted?).owner == ::ActiveRecord::Persistence
      end

      # For keys that are made for many records at once: what comes before the id in a version, the columns, and the
      # names of columns of text. nil if versions of the model's records are made one by one.
      def parts
        ["#{@name}/", [@primary_key, UPDATED_AT], @texts] if @rails_own
      end

      # False if records of the model have none.
      def any?
        !@name.nil? && (@timestamped || @own)
      end

      # A String; nil for a record that is new, deleted or changed, and for one that has none.
      def of(record)
        return unless record.persisted? && record.singleton_methods.empty?

        (@raw && raw(record)) || by_rails(record)
      end

      # True if the record has what the database gave; false if that is not known. Rails' own check for changes makes
      # an Attribute object for each column; this one makes none.
      def unchanged?(record)
        set = record.instance_variable_get(:@attributes)
        return false unless set.instance_of?(::ActiveModel::LazyAttributeSet)
        return false unless record.instance_variable_get(:@mutations_from_database).nil?

        # ActiveRecord's preloading makes that of a key.
        set.instance_variable_get(:@attributes).each_value do |attribute|
          return false unless unchanged_object?(attribute)
        end
        set.instance_variable_get(:@casted_values).each_pair do |name, value|
          return false unless unchanging?(value) || same?(set, name, value)
        end
        true
      end

      private

      def raw(record)
        return unless unchanged?(record)

        values = record.instance_variable_get(:@attributes).instance_variable_get(:@values)
        id = values[@primary_key]
        at = text(values[UPDATED_AT])
        "#{@name}/#{id}-#{at}" if id && at
      end

      def unchanged_object?(attribute)
        return false if attribute.changed?

        !attribute.has_been_read? || ::String === attribute.value || unchanging?(attribute.value)
      end

      # False for a time that was read under another Time.zone: it would be written in that zone.
      def unchanging?(value)
        return ::Time.zone == value.time_zone if ::ActiveSupport::TimeWithZone === value

        case value
        when *UNCHANGING then true
        else false
        end
      end

      # True of a text that is still what the database gave.
      def same?(set, name, value)
        return false unless ::String === value && @texts.key?(name)
        return false if set.instance_variable_get(:@additional_types).key?(name)

        set.instance_variable_get(:@values)[name] == value
      end

      def read_elsewhere?(record)
        @zoned.any? { |name| record.has_attribute?(name) && !unchanging?(record._read_attribute(name)) }
      end

      def texts(model)
        found = model.attribute_types.select do |_, type|
          type.instance_of?(::ActiveModel::Type::String) || type.instance_of?(::ActiveRecord::Type::Text)
        end
        found.transform_values { true }
      end

      def text(at)
        case at
        when ::String then at
        when ::Time then "#{at.to_i}.#{at.nsec}"
        when ::Integer, ::Float then at.to_s
        end
      end

      def by_rails(record)
        return if record.has_changes_to_save? || read_elsewhere?(record)
        return "#{@name}/#{record.cache_key_with_version}" if @own || !@primary_key.is_a?(String)
        return unless record.has_attribute?(UPDATED_AT) && record._read_attribute(UPDATED_AT)

        at = text(record.read_attribute_before_type_cast(UPDATED_AT))
        at ? "#{@name}/#{record._read_attribute(@primary_key)}-#{at}" : "#{@name}/#{record.cache_key_with_version}"
      end
    end
  end
end
