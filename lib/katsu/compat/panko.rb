# frozen_string_literal: true

require "katsu"

# Gives Panko's constants: a team that moves over changes the require and nothing else.
#
#   require "katsu/compat/panko"
#   class PostSerializer < Panko::Serializer; attributes :id; end
module Panko
  # A Katsu::Serializer with Panko's rule of method fields: a method of a class is the value of the attributes of its
  # name that were declared before it, in the class or its parents. Other methods are no method fields: a method that is
  # defined first, one of a module, one with the name of an association. And only: [] is no filter, as in Panko.
  class Serializer < ::Katsu::Serializer
    class << self
      def method_field?(name, key)
        (description.moved?(name, key) || behind_views?(name)) && super
      end

      def empty_only_ignored? = true

      def method_added(name)
        super
        (@behind_views ||= {})[name] = true if in_views?(name)
      end

      protected

      # True if a view declared an attribute of that name before there was a method of that name.
      def behind_views?(name)
        @behind_views&.key?(name) || (superclass <= Serializer && superclass.behind_views?(name))
      end

      # True if a view of the class or its parents declares an attribute of that name.
      def in_views?(name)
        own_views.each_value.any? { |all| all.any? { |one| one.respond_to?(:name) && one.name == name } } ||
          (superclass <= Serializer && superclass.in_views?(name))
      end
    end
  end

  ArraySerializer = ::Katsu::ArraySerializer
  Response = ::Katsu::Response
  ObjectWriter = ::Katsu::ObjectWriter
  ResponseCreator = ::Katsu::Response::Creator
  JsonValue = ::Katsu::Fragment
  def JsonValue.from(json) = new(json)
  JsonValue.alias_method :value, :json
end
