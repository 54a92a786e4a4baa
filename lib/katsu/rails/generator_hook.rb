# frozen_string_literal: true

require "rails/generators"
require "rails/generators/rails/resource/resource_generator"
require "generators/katsu/serializer/serializer_generator"

module Katsu
  module Rails
    # rails generate scaffold and resource write a serializer too; --skip-katsu, and in an application
    # config.generators { |generate| generate.katsu false }, leave it out.
    module GeneratorHook
      # What the serializer of a resource that is generated writes: the arguments of katsu:serializer.
      def self.names(generator)
        fields = generator.attributes.reject { |field| left_out?(field) }
        fields = fields.map { |field| field.reference? ? reference(field) : field.name }
        ["id", *fields, *(%w[created_at updated_at] if generator.options[:timestamps] != false)]
      end

      def self.reference(field)
        "#{field.name}:references#{"{polymorphic}" if field.polymorphic?}"
      end
      private_class_method :reference

      # Files, and what nobody wants in an answer by mistake.
      def self.left_out?(field)
        field.attachment? || field.attachments? || field.rich_text? ||
          Generators::SerializerGenerator.secret?(field.name)
      end
    end
  end
end

Rails::Generators::ResourceGenerator.hook_for :katsu, as: :serializer, type: :boolean, default: true do |made, klass|
  made.invoke(klass, [made.name, *Katsu::Rails::GeneratorHook.names(made)])
end
