# frozen_string_literal: true

require "rails/generators"
require "rails/generators/named_base"
require "rails/generators/model_helpers"

module Katsu
  module Generators
    # rails generate katsu:serializer Post [NAME ...]
    class SerializerGenerator < ::Rails::Generators::NamedBase
      include ::Rails::Generators::ModelHelpers

      # Nobody wants these in an answer by mistake.
      SECRET = /password|passwd|secret|token|otp|salt|api_?key|ssn|crypt/i
      # What belongs_to is called when a model is generated: author:references.
      REFERENCE = /\A([^:]+):(references|belongs_to)\b/
      # Stands for the class that is not there yet.
      Owner = Struct.new(:name)
      private_constant :REFERENCE, :Owner

      source_root File.expand_path("templates", __dir__)
      check_class_collision suffix: "Serializer"
      desc "Writes a serializer of a model's columns and associations, and a test of it."
      argument :names, type: :array, default: [], banner: "name name",
                       desc: "what it writes; without names the columns of the model"

      # True for a column that is left out: its name, or what the application and the model filter, says so. filters:
      # those of the model, and the application's.
      def self.secret?(name, filters = ::Rails.application&.config&.filter_parameters)
        return true if SECRET.match?(name)

        ::ActiveSupport::ParameterFilter.new(filters.to_a).filter(name => +"value")[name] != "value"
      end

      def create_serializer
        say "There is no model #{class_name} with a table: :id only is written", :yellow if names.empty? && !model
        unknown_names.each do |name|
          say "#{class_name} has no #{name}.#{NearestName.hint(name, model.column_names + reflections.keys)}", :yellow
        end
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
        @model ||= model_named(class_name)
      end

      def model_named(class_name)
        found = class_name.safe_constantize
        found if found.is_a?(Class) && found.respond_to?(:column_names) && found.table_exists?
      end

      # Called by ModelHelpers, which makes posts post. A model may have a plural name.
      def plural_model_name?(name)
        super && !model_named(name.camelize)
      end

      # Without what else a model is generated with: title:string.
      def name_of(name) = name[/\A[^:]+/] || name

      def attribute_names
        return names.grep_v(REFERENCE).map { |name| name_of(name) } - reflections.keys unless names.empty?

        model ? model.column_names - secret_names : ["id"]
      end

      # What the model lacks, of the names that were given.
      def unknown_names
        return [] unless model

        names.map { |name| name_of(name) }.reject do |name|
          model.column_names.include?(name) || reflections.key?(name) || model.method_defined?(name)
        end
      end

      # Left out, and named in a comment.
      def secret_names
        return [] unless model && names.empty?

        filters = [*::Rails.application&.config&.filter_parameters, *model.filter_attributes]
        encrypted = model.encrypted_attributes.to_a.map(&:to_s)
        model.column_names.select { |name| encrypted.include?(name) || self.class.secret?(name, filters) }
      end

      # The associations of the model by name.
      def reflections
        @reflections ||= model ? model.reflect_on_all_associations.to_h { |one| [one.name.to_s, one] } : {}
      end

      # [["has_one", "author", "Author"], ...]; without a model's name if objects of several are there.
      def associations
        return reflections.values.map { |reflection| association(reflection) } if names.empty?

        names.filter_map do |given|
          name = name_of(given)
          if reflections.key?(name) then association(reflections[name])
          elsif given.match?(REFERENCE)
            ["has_one", name, (name.camelize unless given.include?("polymorphic"))]
          end
        end
      end

      def association(reflection)
        [reflection.collection? ? "has_many" : "has_one", reflection.name.to_s,
         (model_name_of(reflection) unless reflection.polymorphic?)]
      end

      # An association through others has the class that these say.
      def model_name_of(reflection)
        reflection.options[:through] ? reflection.klass.name : reflection.class_name
      rescue StandardError
        reflection.class_name
      end

      def association_line(kind, name, model_name)
        serializer = model_name ? "\"#{model_name}Serializer\"" : "{\"Post\" => \"PostSerializer\"}"
        "#{"# " unless association?(name, model_name)}#{kind} #{name.to_sym.inspect}, serializer: #{serializer}"
      end

      # One that is polymorphic, and one through others if it was not named, is written as a comment.
      def association?(name, model_name)
        return false if model_name.nil? || (names.empty? && reflections[name]&.options&.key?(:through))

        serializer?(model_name)
      end

      # The same for one whose serializer is not there, or leads back to this one: that is an error without a depth.
      def serializer?(model_name)
        serializer = named(Owner.new(serializer_name), "#{model_name}Serializer")
        !serializer.nil? && !leads_back?(serializer, [])
      end

      # That of templates is without the namespace of an engine.
      def serializer_name
        path = namespaced? ? namespaced_class_path : regular_class_path
        "#{[*path, file_name].map(&:camelize).join("::")}Serializer"
      end

      # The class that a name means in a serializer, which is the owner; the name itself if it is that of this one.
      def named(owner, name)
        tried = ::Katsu::Serializer::Resolver.candidates(owner, name)
        tried.lazy.map { |one| one == serializer_name ? one : one.safe_constantize }.find(&:itself)
      end

      def leads_back?(serializer, met)
        return true if serializer.to_s == serializer_name
        return false if met.include?(serializer) || !described?(serializer)

        met << serializer
        targets(serializer).any? { |target| leads_back?(target, met) }
      end

      def described?(serializer)
        serializer.is_a?(Class) && serializer < ::Katsu::Serializer
      end

      # What its associations name.
      def targets(serializer)
        serializer.description.associations.each_value.flat_map do |association|
          given = association.serializer || association.name.to_s
          (given.is_a?(Hash) ? given.values : [given]).map do |one|
            one.is_a?(Class) ? one : named(association.owner, one.to_s)
          end
        end
      end

      # The keys in the order in which they are written.
      def keys
        nested = associations.select { |_, name, model_name| association?(name, model_name) }
        attribute_names + nested.sort_by.with_index { |(kind, _), index| [kind == "has_one" ? 0 : 1, index] }
                                .map { |_, name| name }
      end

      def parent
        file = File.join(destination_root, "app/serializers/application_serializer.rb")
        defined?(::ApplicationSerializer) || File.exist?(file) ? "ApplicationSerializer" : "Katsu::Serializer"
      end

      # Lines of at most 100 characters.
      def attribute_lines
        attribute_names.map { |name| name.to_sym.inspect }.each_with_object([[]]) do |name, lines|
          lines << [] if lines.last.any? && [*lines.last, name].join(", ").size > 100
          lines.last << name
        end
      end
    end
  end
end
