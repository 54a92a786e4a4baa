# frozen_string_literal: true

module Katsu
  module Migrate
    # Panko's words are Katsu's.
    class Panko < Translator
      WORDS = {attributes: :same, aliases: :same, has_one: :association, has_many: :association}.freeze
      CONSTANTS = {
        "Panko::Serializer" => "Katsu::Serializer", "Panko::ArraySerializer" => "Katsu::ArraySerializer",
        "Panko::Response" => "Katsu::Response", "Panko::ObjectWriter" => "Katsu::ObjectWriter"
      }.freeze
      OPTIONS = %i[serializer each_serializer name only except].to_h { |name| [name, name] }.freeze
      private_constant :OPTIONS

      private

      def same(*) = nil

      def association(node, arguments)
        options, reasons = carried(arguments, OPTIONS)
        %i[serializer each_serializer].each do |name|
          options[name] = serializer(arguments.options[name]) || options[name] if options.key?(name)
        end
        write(node, node.name, arguments.positional.map { |name| @source.text(name) }, options, nil, reasons)
      end

      def rename(node)
        super
        return unless node.is_a?(::Prism::CallNode) && node.receiver&.slice == "Panko::JsonValue" && node.name == :from

        @source.replace(node.receiver, "Katsu::Fragment")
        @source.replace(node.message_loc, "new")
      end
    end
  end
end
