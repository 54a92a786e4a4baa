# frozen_string_literal: true

require_relative "row_collection"

module Katsu
  module Query
    # A row in the place of a record: it answers the columns and associations that are read, and nothing else.
    class Row
      ReaderPatches = Source::ReaderPatches
      private_constant :ReaderPatches

      # The class of a row answers as the model of the record that the row stands for, so that errors name it.
      module NamedAsModel
        def name = @model.name
        def to_s = @model.to_s
        def inspect = @model.inspect
        def superclass = @model.superclass
        def ==(other) = super || @model.equal?(other)
        def <(other) = super || @model < other
        def <=(other) = super || @model <= other

        private

        def method_missing(name, ...)
          @model.respond_to?(name) ? @model.public_send(name, ...) : super
        end

        def respond_to_missing?(name, include_private) = @model.respond_to?(name, include_private)
      end
      private_constant :NamedAsModel

      class << self
        attr_reader :model, :known

        # A class for rows of these columns (positions by name) with readers for them and for these associations.
        def for(model, columns, types, associations)
          Class.new(self) do
            extend NamedAsModel
            @model = model
            @columns = columns
            @known = columns.keys + associations.map(&:name)
            aliases = model.attribute_aliases.select { |_, name| columns.key?(name) }
            names = columns.to_h { |name, _| [name, name] }.merge(aliases)
            names.each { |reader, name| define_column(reader, columns[name], types[name]) }
            associations.each { |name| define_association(name) }
            define_composite_id
            define_enums
            define_identity
            refuse_overridden
          end
        end

        def position(name) = @columns[name.to_s]

        private

        # What most raw values are already is not given to the type. A String is: a field may change its own in place.
        AS_THEY_ARE = {integer: "::Integer", float: "::Float"}.freeze
        PLAIN_NAME = /\A[a-z_]\w*\z/
        # What a row answers as ActiveRecord's own methods do.
        AS_ACTIVE_RECORD = %i[== eql? hash inspect present? blank? respond_to? freeze frozen?].freeze
        # What Rails' helpers for URLs and for the ids of HTML elements ask of a record.
        IDENTITY = %i[to_param to_key to_model model_name persisted? new_record?].freeze
        OF_THE_KEY = %i[to_param to_key].freeze
        private_constant :AS_THEY_ARE, :PLAIN_NAME, :AS_ACTIVE_RECORD, :IDENTITY, :OF_THE_KEY

        def define_column(reader, position, type)
          return define_method(reader) { type.deserialize(@values[position]) } unless PLAIN_NAME.match?(reader)

          const_set(:"TYPE#{position}", type) unless const_defined?(:"TYPE#{position}", false)
          kind = AS_THEY_ARE[type.type] if Cast.number(type).positive?
          quick = "#{kind} === value ? value : " if kind
          body = "value = @values[#{position}]\n  #{quick}TYPE#{position}.deserialize(value)"
          class_eval("def #{reader}\n  #{body}\nend", __FILE__, __LINE__)
          # The name may be a keyword of Ruby: end, next, self.
          call = "self.#{reader}()"
          class_eval("def #{reader}? = katsu_truth(#{call})", __FILE__, __LINE__) if own_reader?("#{reader}?")
        end

        def define_composite_id
          return unless Columns.composite_id?(@model, "id") && @model.primary_key.all? { |name| @columns.key?(name) }

          @known |= ["id"]
          define_method(:id) { katsu_key }
        end

        def define_for_database(column)
          type = @model.type_for_attribute(column)
          define_method(:"#{column}_for_database") { type.serialize(self[column]) }
        end

        # As ActiveRecord's own methods; those that the model overrides are refused, and those of a key that is not
        # there.
        def define_identity
          key = keyed?
          (IDENTITY - instance_methods(false)).each do |name|
            known = own_method?(name) && (key || !OF_THE_KEY.include?(name))
            known ? define_method(name, Row.instance_method(:"katsu_#{name}")) : define_refused(name)
          end
        end

        # True if the rows have the key that records give as their id.
        def keyed?
          own = own_reader?("id") || ReaderPatches.own?(@model.instance_method(:id))
          names = Array(@model.primary_key)
          own && names.any? && names.all? { |name| @columns.key?(name) }
        end

        # True of a method of ActiveRecord or ActiveModel. A model's to_param :title defines one in the model.
        def own_method?(name)
          method = @model.instance_method(name)
          return false unless ::ActiveRecord::Base <= method.owner
          return true if ReaderPatches.own?(method)

          theirs = [::ActiveModel::Conversion.instance_method(:to_model),
                    ::ActiveModel::Naming.instance_method(:model_name)]
          theirs.any? { |other| other.source_location.first == method.source_location&.first }
        end

        def define_refused(name)
          define_method(name) { |*| katsu_refuse(name) }
        end

        # What every object answers and records of the model answer in another way, such as to_s, and is no column.
        def refuse_overridden
          ::Object.public_instance_methods.each do |name|
            next if !@model.public_method_defined?(name) || method_defined?(name, false)

            method = @model.instance_method(name)
            next if ::Object <= method.owner || (AS_ACTIVE_RECORD.include?(name) && ReaderPatches.own?(method))

            define_refused(name)
          end
        end

        # True of ActiveRecord's own method.
        def own_reader?(name)
          owner = @model.method_defined?(name) && @model.instance_method(name).owner
          owner.is_a?(::ActiveRecord::AttributeMethods::GeneratedAttributeMethods) ||
            owner == ::ActiveRecord::AttributeMethods::PrimaryKey
        end

        # The predicates of enums, which read the column by its reader.
        def define_enums
          return if @model.defined_enums.empty?

          @model.defined_enums.each_key { |column| define_for_database(column) if @columns.key?(column) }
          enums = ::ActiveRecord::Enum.const_get(:EnumMethods)
          @model.instance_methods.grep(/\w\?\z/).each do |name|
            method = @model.instance_method(name)
            define_method(name, method) if method.owner.is_a?(enums)
          end
        end

        def define_association(name)
          define_method(name) do
            found = (@table.edges[name] || katsu_refuse(name)).of(@values)
            ::Array === found ? RowCollection.new(found, name, self.class) : found
          end
        end
      end

      # values: a row of table.
      def initialize(table, values)
        @table = table
        @values = values
      end

      # The raw values, in the order of the table's columns. What is not a record's begins with katsu_: a column may be
      # called values.
      def katsu_values = @values

      # The value of a column, as records have it.
      def [](name)
        name = self.class.model.attribute_aliases[name.to_s] || name.to_s
        position = self.class.position(name) || katsu_refuse(name)
        @table.types.fetch(name).deserialize(@values[position])
      end
      alias _read_attribute []

      # As a record of the model that the row is of.
      def is_a?(klass) = super || self.class.model <= klass || false
      alias kind_of? is_a?
      def instance_of?(klass) = super || self.class.model.equal?(klass)

      # Rows of one primary key are the same record, and the record itself is.
      def ==(other)
        return true if super
        return false unless other.instance_of?(self.class.model) && !katsu_key.nil?

        katsu_key == (Row === other ? other.katsu_key : other.id)
      end
      alias eql? ==

      # As the record's.
      def hash = katsu_key ? self.class.model.hash ^ katsu_key.hash : super

      # nil if the model has none.
      def katsu_key
        name = self.class.primary_key
        name.is_a?(::Array) ? name.map { |part| self[part] } : name && self[name]
      end

      # These are called without the katsu_; see define_identity.
      def katsu_persisted? = true
      def katsu_new_record? = false
      def katsu_to_model = self
      def katsu_model_name = self.class.model.model_name

      def katsu_to_key
        key = katsu_key
        [*key] if key
      end

      def katsu_to_param
        key = katsu_key
        key.is_a?(::Array) ? key.join(self.class.param_delimiter) : key&.to_s
      end

      # The raw value of a column.
      def katsu_raw(name)
        @values[self.class.position(name)]
      end

      # A row is no value: it is written by a serializer only.
      def as_json(*)
        katsu_refuse(:as_json)
      end

      def to_json(*)
        katsu_refuse(:to_json)
      end

      def inspect
        "#<#{self.class.name} (row) #{self.class.known.join(", ")}>"
      end

      private

      # As the predicate of a column tells it.
      def katsu_truth(value)
        value.respond_to?(:zero?) ? !value.zero? : !value.blank?
      end

      def method_missing(name, *)
        name.end_with?("=") || name.start_with?("to_") ? super : katsu_refuse(name)
      end

      # A record would answer it.
      def respond_to_missing?(name, _include_private)
        katsu_refuse(name) if self.class.model.public_method_defined?(name)
        false
      end

      def katsu_refuse(name)
        raise NeedsError.new(name, self.class.model, self.class.known)
      end
    end
  end
end
