# frozen_string_literal: true

module Katsu
  # The filters only: and except: of one serializer.
  #
  #   only: [:id, :author]                        # of the serializer's own names
  #   only: {instance: [:id], author: [:name]}    # the same, and for an association
  #
  # A Hash without :instance leaves the serializer's own names as they are. An empty Array names nothing: with only: no
  # field is written. Names are Symbols or Strings.
  class Filters
    # Filters may come from a query string; no serializer has so many names.
    MAX_NAMES = 1000

    # What a class that has no filters of its own gives.
    NONE = {}.freeze
    OPTIONS = %i[only except].freeze
    NAMES = [*OPTIONS, *OPTIONS.map(&:name)].freeze
    # The filter that leaves out every field. An empty only: cannot say that: some classes take it for no filter. No
    # caller can give this one.
    module Nothing; end
    NOTHING = [Nothing].freeze
    private_constant :OPTIONS, :NAMES, :Nothing, :NOTHING

    class << self
      # True of a serializer class, or a form of one, that defines filters_for, public or not.
      def of_class?(serializer) = serializer.respond_to?(:filters_for, true)

      # What filters_for of the class gives: a Hash with only: and except:, of which both may be missing. Raises
      # InvalidFilterError for anything else but nil.
      def of_class(serializer, context, scope)
        answer = serializer.__send__(:filters_for, context, scope)
        return NONE if answer.nil?
        named = answer.is_a?(Hash) && answer.each_key.all? { |name| NAMES.include?(name) }
        own = answer if named
        own = answer.to_h { |name, filter| [name.to_sym, filter] } if named && !answer.keys.all?(Symbol)
        raise InvalidFilterError.answer(serializer, answer, OPTIONS) unless own && own.size == answer.size

        own
      end

      # [only, except] of a serializer class or a form of one, by an answer of its filters_for and by the filters that
      # were given. The answer is for all views of the class: a name that only others declare means nothing here.
      def answered(form, answer, only, except)
        serializer = Serializer::Form.class_of(form)
        views = serializer.description.views
        unless views.empty?
          forms = [nil, *views.keys].lazy.map { |view| serializer.form(view) }
          own = %i[only except].zip(of_one(form, declared_by(forms), answer[:only], answer[:except])).to_h
          answer = own.select { |option, filter| filter || answer.key?(option) }
        end
        [answer.fetch(:only, only), answer.fetch(:except, except)]
      end

      # The filter and all in it, frozen: the caller may change its Array later.
      def frozen_copy(filter)
        case filter
        when Array then filter.map { |name| frozen_copy(name) }.freeze
        when Hash then filter.to_h { |name, nested| [name, frozen_copy(nested)] }.freeze
        when String then filter.dup.freeze
        else filter
        end
      end

      # [only, except] for one of the serializers of a polymorphic association, whose filters are for all of them:
      # without the names that only others declare. declared: see declared_by.
      def of_one(serializer, declared, only, except)
        own = without_others(serializer.description, declared, only)
        own = NOTHING if own_names(own).empty? && own_names(only).any?
        [own, without_others(serializer.description, declared, except)]
      end

      # What of_one asks of all serializers of an association, found out once for each name.
      def declared_by(serializers)
        Hash.new do |found, (known, name)|
          found[[known, name]] = serializers.any? { |one| one.description.public_send(known, name) }
        end
      end

      # [only, except] of an association, by those of its declaration and those that were given from outside. If these
      # name fields of the association itself they replace the declared ones. Otherwise they are for what is below it,
      # and what they say nothing of is as declared.
      def over(declared, given)
        only, except = given
        return given if only.is_a?(Array) || own_names(only).any? || own_names(except).any?

        declared.zip(given).map { |one, other| below(one, other) }
      end

      private

      def without_others(description, declared, filter)
        case filter
        when Array then filter.select { |name| concerns?(description, declared, :name?, name) }
        when Hash
          kept = filter.select { |name, _| concerns?(description, declared, :association?, name) }
          kept.to_h do |name, nested|
            [name, name.to_s == "instance" ? without_others(description, declared, nested) : nested]
          end
        else filter
        end
      end

      # True if the name stays in this serializer's filter: if this serializer has it, or if none has it. The filter is
      # checked later: a name that none has is refused, and so are names within an attribute, which would be written
      # whole.
      def concerns?(description, declared, known, name)
        description.name?(name) || !declared[[known, name]]
      end

      # given: names no field of the association itself. If two of its names mean the same it is left as it is, to be
      # refused.
      def below(declared, given)
        return declared if given.nil? || given == []
        return given unless declared && given.is_a?(Hash)

        named = by_symbols(given)
        return given if named.size < given.size

        own = declared.is_a?(Array) ? {instance: declared} : by_symbols(declared)
        own.merge(named) do |name, inner, other|
          name == :instance || !own_names(other).empty? ? other : below(inner, other)
        end
      end

      def by_symbols(filter)
        filter.to_h { |name, nested| [name.is_a?(String) ? name.to_sym : name, nested] }
      end

      def own_names(filter)
        names = filter.is_a?(Hash) ? filter[:instance] || filter["instance"] : filter
        names.is_a?(Array) ? names : []
      end
    end

    # serializer: the class whose description has the names. Raises InvalidFilterError.
    def initialize(serializer, only, except)
      @serializer = serializer
      @only, @nested_only = split(:only, only)
      @except, @nested_except = split(:except, except)
      check_names
    end

    # True if the attribute or association with one of these names is to be written.
    def keep?(*names)
      return false if @only && names.none? { |name| @only.include?(name) }

      !@except || names.none? { |name| @except.include?(name) }
    end

    # The filters for an association: [only, except], each nil if there is none.
    def nested(association)
      [pick(@nested_only, association), pick(@nested_except, association)]
    end

    private

    def pick(filters, association)
      return if filters.empty?

      filters.values_at(*@serializer.description.filter_names(association)).compact.first
    end

    # A filter's own names, or nil, and its Hash of nested filters.
    def split(option, filter)
      case filter
      when nil then [nil, {}]
      when Array then [own(option, filter, filter), {}]
      when Hash
        limit(option, filter)
        refuse(option, filter) unless filter.each_key.all? { |name| name?(name) }
        nested = filter.to_h { |name, inner| [name.to_sym, inner] }
        refuse_twice(option, filter.keys.group_by(&:to_sym)) if nested.size < filter.size
        instance = nested.delete(:instance)
        shapes = [Array, Hash, NilClass]
        refuse(option, filter) unless nested.each_value.all? { |value| shapes.any? { |shape| shape === value } }
        [own(option, instance, filter), nested]
      else refuse(option, filter)
      end
    end

    def own(option, names, filter)
      return [] if names == NOTHING
      return if names.nil? || (names == [] && ignored_if_empty?(option))

      refuse(option, filter) unless names.is_a?(Array)
      limit(option, names)
      refuse(option, filter) unless names.all? { |name| name?(name) }
      names.map(&:to_sym)
    end

    def ignored_if_empty?(option)
      option == :except || Serializer::Form.class_of(@serializer).empty_only_ignored?
    end

    def limit(option, names)
      raise InvalidFilterError.too_many(@serializer, option, names.size, MAX_NAMES) if names.size > MAX_NAMES
    end

    def name?(name)
      name.is_a?(Symbol) || (name.is_a?(String) && name.valid_encoding?)
    end

    def refuse(option, filter)
      raise InvalidFilterError.shape(@serializer, option, filter)
    end

    # names: what filters are under, in groups that mean the same.
    def refuse_twice(option, names)
      names.each_value do |same|
        raise InvalidFilterError.twice(@serializer, option, same) if same.size > 1
      end
    end

    def check_names
      known = @serializer.description.names
      {only: @only, except: @except}.each do |option, names|
        names&.each do |name|
          next if @serializer.description.name?(name)

          raise InvalidFilterError.unknown(@serializer, option, name, known)
        end
      end
      check_nested(:only, @nested_only)
      check_nested(:except, @nested_except)
    end

    def check_nested(option, nested)
      description = @serializer.description
      nested.each_key do |name|
        next if description.association?(name)

        known = description.associations.each_value.map(&:name)
        raise InvalidFilterError.not_an_association(@serializer, option, name, known)
      end
      return if nested.size < 2

      given = nested.compact.keys
      refuse_twice(option, description.associations.transform_values { |one| description.filter_names(one) & given })
    end
  end
end
