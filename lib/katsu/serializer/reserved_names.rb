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
      NAME = ::Module.instance_method(:name) # a serializer may have a name of its own
      private_constant :OPEN, :NAME

      class << self
        # Raises ArgumentError if a module that the serializer is extended by has a method that Katsu calls.
        def check_module(serializer, mod)
          check(serializer, mod.instance_methods + mod.private_instance_methods) unless named?(mod, "Katsu::")
        end

        # Raises ArgumentError if one of names is a method that Katsu calls.
        def check(serializer, names)
          return if named?(serializer, "Katsu::") || !Ractors.main?

          name = names.find { |one| all.key?(one) } or return
          raise ArgumentError, "#{serializer}.#{name} is a method that Katsu itself calls; give yours another name"
        end

        # The names, as the keys of a Hash. Grape's represent is none of them.
        def all
          @all ||= begin
            owners = Serializer.singleton_class.included_modules.select { |mod| named?(mod, "Katsu::Serializer::") }
            names = owners.flat_map { |owner| owner.instance_methods(false) + owner.private_instance_methods(false) }
            (names - OPEN).to_h { |name| [name, true] }
          end
        end

        private

        def named?(mod, prefix) = NAME.bind_call(mod).to_s.start_with?(prefix)
      end
    end
  end
end
