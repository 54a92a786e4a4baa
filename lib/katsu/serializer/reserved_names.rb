# frozen_string_literal: true

module Katsu
  class Serializer
    # The class methods of a serializer that Katsu calls itself, such as plan and description: a method of the same name
    # would be taken for Katsu's. Those that a serializer's author calls, such as many, can be defined anew, with super.
    module ReservedNames
      OPEN = %i[
        attributes attribute aliases has_one has_many nested view include_view exclude transform_keys on_error omit_nil
        root meta envelope cache many one preloads columns fields render render_as_hash dup clone extend include prepend
        method_added method_removed method_undefined singleton_method_added singleton_method_removed
        singleton_method_undefined method_field? empty_only_ignored? new_form
      ].freeze
      private_constant :OPEN

      class << self
        # Raises ArgumentError if one of names is a method that Katsu calls.
        def check(serializer, names)
          return if katsu?(serializer) || !Ractors.main?

          name = names.find { |one| all.key?(one) } or return
          raise ArgumentError, "#{serializer}.#{name} is a method that Katsu itself calls; give yours another name"
        end

        # True if the module is Katsu's own.
        def katsu?(mod)
          mod.name.to_s.start_with?("Katsu::")
        end

        # The names, as the keys of a Hash.
        def all
          @all ||= begin
            owners = Serializer.singleton_class.included_modules.select { |mod| katsu?(mod) }
            names = owners.flat_map { |owner| owner.instance_methods(false) + owner.private_instance_methods(false) }
            (names - OPEN).to_h { |name| [name, true] }
          end
        end
      end
    end
  end
end
