# frozen_string_literal: true

module Katsu
  class Serializer
    # The fields that a client asks for, as a filter: "id,title,author.name" is {instance: [:id, :title, :author],
    # author: [:name]}.
    module RequestedFields
      MAX_CHARACTERS = 10_000
      private_constant :MAX_CHARACTERS

      class << self
        # text: a String of names joined by commas, or an Array of such names; dots lead into associations. FieldNames
        # says what a name may be. If nothing is asked for, all that is allowed is written; the same holds for an
        # association without names of its own. form: the serializer class, or its form in a view. allow: as attributes
        # takes names, with a Hash for associations: [:id, :title, {author: [:name]}]. Raises InvalidFilterError for a
        # name that is not allowed, and for a text of unreasonable length; ArgumentError and SerializerNotFoundError if
        # nothing is allowed, or what is not declared.
        def parse(form, text, allow)
          allowed = tree(form, allow)
          raise ArgumentError, "#{form}.fields: allow: names nothing" if allowed.empty?

          fields = FieldNames.new([form])
          check(form, allowed, fields)
          wanted = names(form, text).each_with_object({}) { |name, tree| take(form, name, tree, allowed, fields) }
          filter(wanted.empty? ? allowed : wanted)
        end

        private

        # Otherwise a client that asks for such a name would be told what is declared.
        def check(form, allowed, fields)
          allowed.each do |name, inner|
            refuse_allowed(form, "names #{name.inspect}, which #{undeclared(name, fields)}") unless fields.name?(name)
            refuse_allowed(form, "has no names within #{name.inspect}; leave it out") if inner.nil?
            next if inner.empty?

            if name == :instance
              refuse_allowed(form, "has names within :instance, which filters take for the serializer's own fields")
            end
            whole = fields.with_attribute(name)
            refuse_allowed(form, "has names within #{name.inspect}, which is no association of #{whole}") if whole
            check(form, inner, fields.within(name))
          end
        end

        def refuse_allowed(form, message)
          raise ArgumentError, "#{form}.fields: allow: #{message}"
        end

        def undeclared(name, fields)
          form = fields.forms.first
          view = view_with(name, Form.class_of(form))
          hint = view ? " Its view #{view.inspect} declares it" : NearestName.hint(name, form.description.names)
          "is not declared by #{fields.forms.join(" or ")}#{".#{hint}" unless hint.empty?}"
        end

        # A view that declares the name, which the serializer itself does not, or nil.
        def view_with(name, serializer)
          return if serializer.description.name?(name)

          serializer.description.views.keys.find { |view| serializer.form(view).description.name?(name) }
        end

        def names(serializer, text)
          list = text.is_a?(Array) ? text.join(",") : text.to_s
          length = list.size
          raise InvalidFilterError.too_long(serializer, :fields, length, MAX_CHARACTERS) if length > MAX_CHARACTERS

          list.encode(Encoding::UTF_8).split(",").map(&:strip).reject(&:empty?)
        rescue ArgumentError, EncodingError => e
          raise if e.is_a?(InvalidFilterError)

          raise InvalidFilterError.not_text(serializer, :fields)
        end

        # {id: {}, author: {name: {}}}; nil for an association without names, which would allow all of them.
        def tree(form, allow)
          (allow.is_a?(Hash) ? [allow] : Array(allow)).each_with_object({}) do |entry, tree|
            pairs = entry.is_a?(Hash) ? entry.transform_values { |inner| tree(form, inner) } : {entry => {}}
            pairs.each do |name, inner|
              name = name.to_sym
              refuse_allowed(form, "names #{name.inspect} twice") if tree.key?(name)

              tree[name] = entry.is_a?(Hash) && inner.empty? ? nil : inner
            end
          end
        end

        def take(serializer, name, wanted, allowed, fields)
          parts = name.split(".", -1)
          last = nil
          parts.each do |part|
            fields = fields.within(last) if last
            known = fields.find(part, allowed.keys)
            refuse(serializer, name[0, 100], last, allowed) unless known

            last = known
            wanted = wanted[known] ||= {}
            allowed = allowed[known]
          end
          take_all(wanted, allowed)
        end

        # last: the part of the name before the one that is refused.
        def refuse(serializer, name, last, allowed)
          raise InvalidFilterError.no_fields(serializer, name, last) if allowed.empty?

          raise InvalidFilterError.not_allowed(serializer, name, allowed.keys)
        end

        def take_all(wanted, allowed)
          allowed.each { |name, inner| take_all(wanted[name] ||= {}, inner) }
        end

        def filter(wanted)
          nested = wanted.reject { |_, inner| inner.empty? }
          return wanted.keys if nested.empty?

          {instance: wanted.keys, **nested.transform_values { |inner| filter(inner) }}
        end
      end
    end
  end
end
