# frozen_string_literal: true

module Katsu
  # Raised if only: or except: is not of an accepted form, or names what the serializer does not declare.
  class InvalidFilterError < ArgumentError
    ACCEPTED = "accepted are an Array of Symbols, such as [:id, :name], or a Hash of such Arrays by association, " \
               "with :instance for the serializer's own, such as {instance: [:id], author: [:name]}"

    def self.shape(serializer, option, filter)
      new("#{serializer}: #{option}: #{shortened(filter)} is a #{filter.class}; #{ACCEPTED}")
    end

    def self.unknown(serializer, option, name, known)
      hint = NearestName.hint(name, known)
      new("#{serializer}: #{option}: names #{shortened(name)}, which it does not declare.#{hint} " \
          "It declares #{known.join(", ")}")
    end

    def self.answer(serializer, given, known)
      other = given.keys.find { |name| name.is_a?(Symbol) && !known.include?(name) } if given.is_a?(Hash)
      hint = other ? NearestName.hint(other, known) : ""
      new("#{serializer}: filters_for gave #{shortened(given)}; accepted are nil and a Hash with " \
          "#{known.map(&:inspect).join(" and ")}#{".#{hint}" unless hint.empty?}")
    end

    # Shortened, as a client may have sent it.
    def self.shortened(given)
      text = given.inspect
      text.size > 200 ? "#{text[0, 200]}..." : text
    end
    private_class_method :shortened

    def self.not_text(serializer, option)
      new("#{serializer}: #{option}: what was given is not valid text")
    end

    def self.too_many(serializer, option, count, limit)
      new("#{serializer}: #{option}: names #{count} attributes; at most #{limit} are accepted")
    end

    def self.too_long(serializer, option, count, limit)
      new("#{serializer}: #{option}: the text has #{count} characters; at most #{limit} are accepted")
    end

    def self.not_allowed(serializer, name, allowed)
      new("#{serializer}: the field #{name.inspect} is not one of those allowed here: #{allowed.join(", ")}")
    end

    # association: the name of an allowed one, for which no names within it are given.
    def self.no_fields(serializer, name, association)
      new("#{serializer}: the field #{name.inspect} is not allowed: #{association} has no fields of its own here")
    end

    # names: those of filters of one association, or of the serializer's own names.
    def self.twice(serializer, option, names)
      new("#{serializer}: #{option}: has filters under #{names.map(&:inspect).join(" and ")}, which mean the same; " \
          "give one")
    end

    def self.not_an_association(serializer, option, name, known)
      hint = NearestName.hint(name, known)
      new("#{serializer}: #{option}: has filters under #{shortened(name)}, which is no association of it.#{hint} " \
          "It has #{known.empty? ? "none" : known.join(", ")}")
    end
  end
end
