# frozen_string_literal: true

module Katsu
  # A method field, a block or a condition read of its object what its needs: does not name.
  class NeedsError < Error
    def initialize(name, model, known)
      super("#{name} of #{model} is not loaded; loaded are #{known.join(", ")}. A field with needs: names there all " \
            "that it reads; without needs: its object is the record.#{NearestName.hint(name, known)}")
    end
  end

  module Query
    # A row in the place of a record: it answers the columns and associations that are read, and nothing else.
    class Row
      class << self
        # Of the record that a row stands for, so that errors name it.
        attr_reader :model, :known

        def name = @model.name
        def to_s = @model.to_s
        def inspect = @model.inspect
        def attribute_types = @model.attribute_types
        def primary_key = @model.primary_key

        # A class for rows of these columns (positions by name) with readers for them and for these associations.
        def for(model, columns, types, associations)
          Class.new(self) do
            @model = model
            @columns = columns
            @known = columns.keys + associations.map(&:name)
            aliases = model.attribute_aliases.select { |_, name| columns.key?(name) }
            names = columns.to_h { |name, _| [name, name] }.merge(aliases)
            names.each { |reader, name| define_column(reader, columns[name], types[name]) }
            associations.each { |name| define_association(name) }
          end
        end

        def position(name) = @columns[name.to_s]

        private

        # What most raw values are already is not given to the type. A String is: a field may change its own in place.
        AS_THEY_ARE = {integer: "::Integer", float: "::Float"}.freeze
        PLAIN_NAME = /\A[a-z_]\w*\z/
        private_constant :AS_THEY_ARE, :PLAIN_NAME

        def define_column(reader, position, type)
          return define_method(reader) { type.deserialize(@values[position]) } unless PLAIN_NAME.match?(reader)

          const_set(:"TYPE#{position}", type) unless const_defined?(:"TYPE#{position}", false)
          kind = AS_THEY_ARE[type.type] if Cast.number(type).positive?
          quick = "#{kind} === value ? value : " if kind
          body = "value = @values[#{position}]\n  #{quick}TYPE#{position}.deserialize(value)"
          class_eval("def #{reader}\n  #{body}\nend", __FILE__, __LINE__)
          class_eval("def #{reader}? = #{reader} ? true : false", __FILE__, __LINE__) if type.type == :boolean
        end

        def define_association(name)
          define_method(name) { @table.edges.fetch(name).of(@values) }
        end
      end

      # values: a row of table.
      def initialize(table, values)
        @table = table
        @values = values
      end

      # The value of a column, as records have it.
      def [](name)
        name = self.class.model.attribute_aliases[name.to_s] || name.to_s
        position = self.class.position(name) || refuse(name)
        @table.types.fetch(name).deserialize(@values[position])
      end
      alias _read_attribute []

      # The raw value of a column.
      def raw(name)
        @values[self.class.position(name)]
      end

      # A row is no value: it is written by a serializer only.
      def as_json(*)
        refuse(:as_json)
      end

      def to_json(*)
        refuse(:to_json)
      end

      def inspect
        "#<#{self.class.name} (row) #{self.class.known.join(", ")}>"
      end

      private

      def method_missing(name, *)
        name.end_with?("=") || name.start_with?("to_") ? super : refuse(name)
      end

      def respond_to_missing?(*) = false

      def refuse(name)
        raise NeedsError.new(name, self.class.model, self.class.known)
      end
    end
  end
end
