# frozen_string_literal: true

module Katsu
  class Serializer
    # A Description in the making. One more declaration takes the same time however many there are.
    class Draft
      NONE = [].freeze
      private_constant :NONE

      # What is declared already, see Description.
      def initialize(attributes, associations, moved)
        @attributes = attributes.dup
        @associations = associations.dup
        @moved = moved.dup
      end

      # Adds an Attribute, an Association or, as a Symbol, the name of a method that is defined.
      def add(declared)
        case declared
        when Symbol then add_method(declared)
        when Attribute then add_attribute(declared)
        else
          @keys = nil if @attributes.delete(declared.key)
          @associations[declared.key] = declared
        end
      end

      # The first three arguments of Description.new.
      def to_a = [@attributes, @associations, @moved]

      private

      def add_attribute(attribute)
        key = attribute.key
        if @attributes.key?(key) then @keys = nil
        elsif @keys then (@keys[attribute.name] ||= []) << key
        end
        @associations.delete(key)
        @attributes[key] = attribute
      end

      # Moves the attributes of its name to the end, unless an earlier method of the name has moved them.
      def add_method(name)
        moving = keys.fetch(name, NONE).select { |key| @attributes[key].call.nil? && @moved[key] != name }
        moving.each do |key|
          @attributes[key] = @attributes.delete(key)
          @moved[key] = name
        end
      end

      # The keys of attributes by their names, in the order of the attributes.
      def keys
        @keys ||= @attributes.each_with_object({}) do |(key, attribute), found|
          (found[attribute.name] ||= []) << key
        end
      end
    end
  end
end
