# frozen_string_literal: true

module Katsu
  class Serializer
    # What a serializer class and its parents declare; immutable. A declaration of a class replaces those of its parents
    # with the same key, in their views too. It keeps their position if both are attributes or both are associations.
    class Description
      attr_reader :attributes, :associations, :views

      EMPTY_HASH = {}.freeze
      private_constant :EMPTY_HASH

      # What a view takes over from another, and what it leaves out.
      Inclusion = Struct.new(:name)
      Exclusion = Struct.new(:name)
      WORDS = [Inclusion, Exclusion].freeze
      private_constant :WORDS

      # attributes, associations: Hashes of what is declared by its key. moved: the names of attributes whose methods
      # were defined after them, by their keys. views: Arrays of what is declared in each, by their names.
      def initialize(attributes = EMPTY_HASH, associations = EMPTY_HASH, moved = EMPTY_HASH, views = EMPTY_HASH)
        @attributes = attributes.freeze
        @associations = associations.freeze
        @moved = moved.freeze
        @views = views.freeze
        freeze
      end

      # A Description that also has these Attributes, Associations and, as Symbols, names of methods.
      def with(declarations)
        draft = Draft.new(@attributes, @associations, @moved)
        declarations.each { |declared| draft.add(declared) }
        Description.new(*draft.to_a, @views)
      end

      # views: what a class declares in views, which comes after what its parents declare in them. outside: what it
      # declares outside of views, which replaces what its parents declare in views under the same keys.
      def with_views(views, outside)
        return self if views.empty? && @views.empty?

        keys = outside.grep_v(Symbol).to_h { |declared| [declared.key, declared] }
        merged = @views.transform_values { |inherited| replaced(inherited, keys) }
        merged.merge!(views) { |_, inherited, own| [*inherited, *own].freeze }
        Description.new(@attributes, @associations, @moved, merged)
      end

      # With what is declared in a view. Raises Error if the view includes what is no view, or itself, or excludes what
      # is not there; serializer: for errors. within: the views around it; done: the results of views, by what they were
      # added to, as one may be included on many ways.
      def in_view(serializer, name, within = [], done = {}.compare_by_identity)
        if within.include?(name)
          raise Error, "#{serializer}: view #{name.inspect} includes itself (#{[*within, name].join(" > ")})"
        end

        (done[self] ||= {})[name] ||=
          @views.fetch(name).chunk { |declared| WORDS.include?(declared.class) ? :_alone : true }
                .reduce(self) do |description, (_, declared)|
            case (word = declared.first)
            when Inclusion then description.including(serializer, word.name, [*within, name], done)
            when Exclusion then description.excluding(serializer, word.name, name)
            else description.with_new(declared)
            end
          end
      end

      # True if an attribute of that name and key was declared before a method of that name.
      def moved?(name, key)
        @moved[key] == name
      end

      # True if an attribute or association is read by that name.
      def reads?(name)
        [@attributes, @associations].any? { |declared| declared.each_value.any? { |one| one.name == name } }
      end

      # The keys of all that is declared.
      def keys = @attributes.keys + @associations.keys

      # The names that filters may use.
      def names
        @attributes.keys.map(&:to_sym) + @associations.values.map(&:name)
      end

      # What filters call an association: its key, and the name it is read by unless that is the key of another.
      def filter_names(association)
        key = association.key.to_sym
        name = association.name
        [@attributes, @associations].any? { |declared| declared.key?(name.name) } ? [key] : [key, name]
      end

      # True if filters may use that name: an attribute's key, or an association's.
      def name?(name)
        @attributes.key?(name.to_s) || association?(name)
      end

      # True if filters call an association so.
      def association?(name)
        name = name.to_s
        @associations.each_value.any? { |association| filter_names(association).any? { |own| own.name == name } }
      end

      protected

      # As with; itself if all of them are there.
      def with_new(declarations)
        declarations.all? { |declared| there?(declared) } ? self : with(declarations)
      end

      def including(serializer, view, within, done)
        return in_view(serializer, view, within, done) if @views.key?(view)

        raise Error, "#{serializer}: view #{within.last.inspect} includes #{view.inspect}, which is no view; " \
                     "there are #{@views.keys.map(&:inspect).join(", ")}.#{NearestName.hint(view, @views.keys)}"
      end

      def excluding(serializer, name, view)
        unless name?(name)
          raise Error, "#{serializer}: view #{view.inspect} excludes #{name.inspect}, " \
                       "which is not declared before it.#{NearestName.hint(name, names)} " \
                       "#{names.empty? ? "Nothing is" : "There are #{names.join(", ")}"}"
        end
        others = @associations.reject { |_, association| filter_names(association).include?(name) }
        Description.new(@attributes.except(name.name), others, @moved, @views)
      end

      private

      # What an exclude leaves out stays out.
      def replaced(inherited, keys)
        inherited.map { |one| WORDS.include?(one.class) ? one : keys.fetch(one.key, one) }.freeze
      end

      # True if adding it would change nothing.
      def there?(declared)
        (declared.is_a?(Attribute) ? @attributes : @associations)[declared.key].equal?(declared)
      end
    end
  end
end
