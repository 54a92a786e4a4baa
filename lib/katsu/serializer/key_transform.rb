# frozen_string_literal: true

module Katsu
  class Serializer
    # How declared names are written as keys: transform_keys :lower_camel. Filters and errors keep the declared names.
    module KeyTransform
      KINDS = %i[lower_camel camel dash none].freeze

      @default = nil

      class << self
        # What Katsu.configure set for all serializers, or nil.
        attr_reader :default

        def default=(given)
          @default = checked("Katsu.configure", given)
          Declarations.changed
        end

        # given, one of KINDS, a callable that takes the key and returns one, or nil. Raises ArgumentError.
        def checked(owner, given)
          return given if given.nil? || KINDS.include?(given)
          return Ractors.share_proc(given) if given.respond_to?(:call)

          hint = NearestName.hint(given.to_s, KINDS) if given.is_a?(Symbol) || given.is_a?(String)
          raise ArgumentError, "#{owner}: transform_keys #{given.inspect}; accepted are " \
                               "#{KINDS.map(&:inspect).join(", ")} and a callable that takes a key.#{hint}"
        end

        # A key of a class as it is written if a call does not say it in another way.
        def key_of(serializer, key)
          kind = serializer.key_transform || @default
          kind.nil? ? key : written_as(serializer, kind, key)
        end

        # Each of the keys as it is written. Raises Error if two would be the same.
        def written(form, keys)
          written_by(form.key_transform || @default, form, keys)
        end

        # Raises ArgumentError if kind, a transform, writes two keys of the class or its parents under the same name.
        # Returns what all are written as.
        def check_declared(serializer, kind)
          written_by(kind, serializer, serializer.description.keys)
        rescue Error => e
          raise ArgumentError, e.message
        end

        # The same before a class declares one more key, without looking at the others again. inherited: the parent's
        # description; known: what this returned the last time, or nil. Raises ArgumentError.
        def check_added(serializer, key, inherited, known)
          kind = serializer.key_transform || @default
          return if kind.nil?

          fresh = known && known[0].equal?(kind) && known[1].equal?(inherited)
          known = [kind, inherited, check_declared(serializer, kind).invert] unless fresh
          text = written_as(serializer, kind, key)
          earlier = known[2][text] ||= key
          raise ArgumentError, same(serializer, [earlier, key], text) unless earlier == key

          known
        end

        # A key as one of KINDS writes it. Underscores at its beginning stay.
        def key_as(kind, key)
          return key if kind == :none

          leading = key[/\A_*/]
          rest = key.delete_prefix(leading)
          return leading + rest.tr("_", "-") if kind == :dash

          first, *others = rest.split(/_+/)
          first = capitalized(first) if kind == :camel && first
          leading + [first, *others.map { |word| capitalized(word) }].join
        end

        private

        def written_by(kind, form, keys)
          return keys.to_h { |key| [key, key] } if kind.nil?

          written = keys.to_h { |key| [key, written_as(form, kind, key)] }
          written.each_value(&:freeze)
          text, pairs = written.group_by(&:last).find { |_, same| same.size > 1 }
          raise Error, same(form, pairs.map(&:first), text) if text

          written
        end

        def written_as(form, kind, key)
          kind.is_a?(Symbol) ? key_as(kind, key) : Names.key(form, "transform_keys", kind.call(key))
        end

        def same(form, keys, text)
          "#{form}: transform_keys writes #{keys.join(" and ")} under the same key, #{text.inspect}"
        end

        def capitalized(word)
          word[0].upcase + word[1..]
        end
      end
    end
  end
end
