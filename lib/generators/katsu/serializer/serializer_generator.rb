# frozen_string_literal: true

require "rails/generators"
require "rails/generators/named_base"

module Katsu
  module Generators
    # rails generate katsu:serializer Post [NAME ...]
    class SerializerGenerator < ::Rails::Generators::NamedBase
      # Nobody wants these in an answer by mistake.
      SECRET = /password|passwd|secret|token|otp|salt|api_?key|ssn|crypt/i
      # What belongs_to is called when a model is generated: author:references.
      REFERENCE = /\A(\w+):(references|belongs_to)\z/
      private_constant :REFERENCE

      source_root File.expand_path("templates", __dir__)
      check_class_collision suffix: "Serializer"
      desc "Writes a serializer of a model's columns and associations, and a test of it."
      argument :names, type: :array, default: [], banner: "name name",
                       desc: "what it writes; without names the columns of the model"

      def create_serializer
        say "There is no model #{class_name} with a table: :id only is written", :yellow if names.empty? && !model
        template "serializer.rb.tt", File.join("app/serializers", class_path, "#{file_name}_serializer.rb")
      end

      def create_test
        if File.directory?(File.join(destination_root, "spec"))
          template "spec.rb.tt", File.join("spec/serializers", class_path, "#{file_name}_serializer_spec.rb")
        else
          template "test.rb.tt", File.join("test/serializers", class_path, "#{file_name}_serializer_test.rb")
        end
      end

      private

      def model
        @model ||= begin
          found = class_name.safe_constantize
          found if found.is_a?(Class) && found.respond_to?(:column_names) && found.table_exists?
        end
      end

      def attribute_names
        return names.grep_v(REFERENCE) unless names.empty?

        model ? model.column_names - secret_names : ["id"]
      end

      # Left out, and named in a comment.
      def secret_names
        model && names.empty? ? model.column_names.grep(SECRET) : []
      end

      # [["has_one", "author"], ...]
      def associations
        return references if names.any?
        return [] unless model

        model.reflect_on_all_associations.filter_map do |reflection|
          next if reflection.polymorphic? || reflection.options[:through]

          [reflection.collection? ? "has_many" : "has_one", reflection.name.to_s, reflection.class_name]
        end
      end

      def references
        names.filter_map { |name| name[REFERENCE, 1] }.map { |name| ["has_one", name, name.camelize] }
      end

      # An association is written as a comment if its serializer is not there, or leads back to this one: that is an
      # error without a depth.
      def serializer?(model_name)
        serializer = "#{model_name}Serializer".safe_constantize
        !serializer.nil? && !leads_back?(serializer, [])
      end

      def leads_back?(serializer, met)
        return serializer.to_s == "#{class_name}Serializer" if met.include?(serializer) || !described?(serializer)

        met << serializer
        serializer.to_s == "#{class_name}Serializer" || targets(serializer).any? { |target| leads_back?(target, met) }
      end

      def described?(serializer)
        serializer.is_a?(Class) && serializer < ::Katsu::Serializer
      end

      # The classes that its associations name, or names of which there is none yet.
      def targets(serializer)
        serializer.description.associations.each_value.flat_map do |association|
          given = association.serializer || association.name.to_s.classify.concat("Serializer")
          (given.is_a?(Hash) ? given.values : [given]).map { |one| one.to_s.safe_constantize || one }
        end
      end

      # The keys in the order in which they are written.
      def keys
        nested = associations.select { |_, _, model_name| serializer?(model_name) }
        attribute_names + nested.sort_by.with_index { |(kind, _), index| [kind == "has_one" ? 0 : 1, index] }
                                .map { |_, name| name }
      end

      def parent
        file = File.join(destination_root, "app/serializers/application_serializer.rb")
        defined?(::ApplicationSerializer) || File.exist?(file) ? "ApplicationSerializer" : "Katsu::Serializer"
      end

      # Lines of at most 100 characters.
      def attribute_lines
        attribute_names.map { |name| ":#{name}" }.each_with_object([[]]) do |name, lines|
          lines << [] if lines.last.any? && [*lines.last, name].join(", ").size > 100
          lines.last << name
        end
      end
    end
  end
end
