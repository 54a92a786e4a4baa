# frozen_string_literal: true

module Katsu
  module Query
    # The classes of rows: each has readers for the columns and associations of one query, and answers the methods of
    # its model that a row can answer.
    module RowClass
      ReaderPatches = Source::ReaderPatches
      # What most raw values are already is not given to the type. A String is: a field may change its own in place.
      AS_THEY_ARE = {integer: "::Integer", float: "::Float"}.freeze
      PLAIN_NAME = /\A[a-z_]\w*\z/
      # What a row answers as ActiveRecord's own methods do.
      AS_ACTIVE_RECORD = %i[== eql? <=> hash inspect present? blank? respond_to? freeze frozen?].freeze
      # What Rails' helpers for URLs and for the ids of HTML elements ask of a record.
      IDENTITY = %i[to_param to_key to_model model_name persisted? new_record?].freeze
      OF_THE_KEY = %i[to_param to_key].freeze
      # What decides what a record gives by [].
      READING = %i[[] read_attribute].freeze
      private_constant :ReaderPatches, :AS_THEY_ARE, :PLAIN_NAME, :AS_ACTIVE_RECORD, :IDENTITY, :OF_THE_KEY,
                       :READING

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

      attr_reader :model, :known

      # A class for rows of these columns (positions by name) with readers for them and for these associations. A column
      # may be there as a key, though the model overrides its reader: to call it is refused.
      def for(model, columns, types, associations)
        Class.new(self) do
          extend NamedAsModel
          @model = model
          @columns = columns
          aliases = model.attribute_aliases.select { |_, name| columns.key?(name) }
          names = columns.to_h { |name, _| [name, name] }.merge(aliases)
          names.select! { |reader, _| Source::RecordSource.column(model, reader.to_sym) }
          names.each { |reader, name| define_column(reader, columns[name], types[name]) }
          @known = (columns.keys & names.keys) + associations.map(&:name)
          associations.each { |name| define_association(name) }
          define_id
          define_enums
          define_identity
          define_refused(:[]) unless READING.all? { |name| own_method?(name) }
          refuse_overridden
        end
      end

      # A class for code that is known to call nothing but readers of columns, which are added when there is such code.
      # types: of the columns, by name. Such code changes no value in place, so values are cast at each read.
      def of_readers(model, types)
        Class.new(self) do
          extend NamedAsModel
          @model = model
          @types = types
          @columns = model.column_names.each_with_index.to_h
          @known = []
        end
      end

      # Adds one to such a class. name: of its column.
      def add_reader(reader, name)
        return if method_defined?(reader, false)

        @known |= [name]
        define_column(reader, position(name), @types[name], once: false)
      end

      def position(name) = @columns[name.to_s]

      private

      # once: see katsu_cast.
      def define_column(reader, position, type, once: true)
        return define_odd_column(reader, position, type, once) unless PLAIN_NAME.match?(reader)

        const_set(:"TYPE#{position}", type) unless const_defined?(:"TYPE#{position}", false)
        kind = AS_THEY_ARE[type.type] if Cast.number(type).positive?
        body = kind || !once ? made_anew(position, kind) : made_once(position)
        class_eval("def #{reader}\n  #{body}\nend", __FILE__, __LINE__)
        # The name may be a keyword of Ruby: end, next, self.
        call = "self.#{reader}()"
        class_eval("def #{reader}? = katsu_truth(#{call})", __FILE__, __LINE__) if own_reader?("#{reader}?")
      end

      # kind: the class of values that need no cast, or nil.
      def made_anew(position, kind)
        "value = @values[#{position}]\n  #{"#{kind} === value ? value : " if kind}TYPE#{position}.deserialize(value)"
      end

      # Code of katsu_cast and katsu_own, without their calls.
      def made_once(position)
        <<~RUBY
          return @value#{position} if @value#{position}

          raw = @values[#{position}]
          value = TYPE#{position}.deserialize(raw)
          value = raw.dup if value.equal?(raw) && !raw.frozen?
          @value#{position} = value unless katsu_frozen?
          value
        RUBY
      end

      # Its name is none that Ruby's syntax has.
      def define_odd_column(reader, position, type, once)
        define_method(reader) { once ? katsu_cast(position, type) : type.deserialize(@values[position]) }
      end

      # Of another key than a column id.
      def define_id
        return if method_defined?(:id, false) || !keyed?

        @known |= ["id"]
        define_method(:id) { katsu_key }
      end

      def define_for_database(column)
        return unless @columns.key?(column) && own_reader?("#{column}_for_database")

        type = @model.type_for_attribute(column)
        define_method(:"#{column}_for_database") { type.serialize(_read_attribute(column)) }
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

        @model.defined_enums.each_key { |column| define_for_database(column) }
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
  end
end
