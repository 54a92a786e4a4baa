# frozen_string_literal: true

module Katsu
  # What every error of this library is a kind of, but for wrong arguments (ArgumentError, TypeError).
  class Error < StandardError; end

  # Where in a document something is: keys joined by dots, indexes in brackets, as in posts[3].author.name.
  module Path
    PLAIN_KEY = /\A[[:alpha:]_][[:alnum:]_?!-]*\z/u
    private_constant :PLAIN_KEY

    # What any object prints, as UTF-8.
    def self.text_of(segment)
      "#{segment}".encode(Encoding::UTF_8, invalid: :replace, undef: :replace).scrub
    end

    # segments: Array of keys (String, Symbol, any) and indexes (Integer), outermost first.
    def self.join(segments)
      segments.each_with_object(+"") do |segment, text|
        key = segment.is_a?(Integer) ? nil : text_of(segment)
        if key.nil?
          text << "[#{segment}]"
        elsif PLAIN_KEY.match?(key)
          text << "." unless text.empty?
          text << key
        else
          text << "[#{key.inspect}]"
        end
      end
    end
  end
end

require_relative "errors/place"
require_relative "errors/field_error"
require_relative "errors/number_error"

module Katsu
  # A value that JSON has no form for: NaN, text that is not UTF-8, in strict mode any other object. The message is
  # json's; where the value stood is in path, detailed_message and inspect.
  class GeneratorError < Error
    include Place

    # The value itself.
    attr_reader :invalid_object
    # Where it stood, such as "users[3].name"; empty for the document's root.
    attr_reader :path

    def initialize(reason = "the value has no form in JSON", invalid_object = nil, segments = [])
      @invalid_object = invalid_object
      @path = Path.join(segments)
      super(::String === reason && reason.ascii_only? ? reason.encode(Encoding::UTF_8) : reason)
    end

    private

    def katsu_places
      place = [("in #{@path}" unless @path.to_s.empty?), byte_place].compact.join(", ")
      place.empty? ? super : [place, *super]
    end

    # With the invalid object, as json's error has it.
    def katsu_hints
      return super if nil.equal?(@invalid_object) || !(::Object === @invalid_object)

      [*super, "Invalid object: #{@invalid_object.inspect}"]
    end

    def byte_place
      return unless ::String === @invalid_object && !@invalid_object.valid_encoding?

      valid = 0
      @invalid_object.each_char { |char| char.valid_encoding? ? valid += char.bytesize : break }
      "at byte #{valid}"
    end
  end

  # The document is nested deeper than max_nesting, or contains itself. The message is json's.
  class NestingError < Error
    include Place

    attr_reader :depth, :path

    def initialize(depth = 0, segments = [])
      @depth = depth
      @path = Path.join(segments.first(10))
      super("nesting of #{depth} is too deep. Did you try to serialize objects with circular references?")
    end

    private

    def katsu_places
      @path.to_s.empty? ? super : ["under #{@path}", *super]
    end
  end

  # Finds the name that was probably meant.
  module NearestName
    LONGEST = 64
    private_constant :LONGEST

    def self.hint(name, known)
      name = name.to_s
      return "" if name.size > LONGEST

      candidates = known.map(&:to_s).reject { |candidate| candidate == name || candidate.size > LONGEST }
      nearest = candidates.min_by { |candidate| distance(name, candidate) }
      nearest && distance(name, nearest) <= [name.size / 2, 1].max ? " Did you mean #{nearest}?" : ""
    end

    # The Levenshtein distance of two short names.
    def self.distance(from, to)
      row = (0..to.size).to_a
      from.each_char.with_index(1) do |char, i|
        diagonal = row[0]
        row[0] = i
        to.each_char.with_index(1) do |other, j|
          cost = char == other ? diagonal : [diagonal, row[j], row[j - 1]].min + 1
          diagonal = row[j]
          row[j] = cost
        end
      end
      row.last
    end
    private_class_method :distance
  end

  # A serializer declares an attribute that the object does not have.
  class UnknownAttributeError < Error
    def initialize(serializer, name, object, path = [], reason = nil)
      owner = object.is_a?(Hash) ? "the Hash" : object.class
      where = path.empty? ? "" : " at #{Path.join(path)}"
      super("#{serializer} declares #{name}, but #{owner} has #{reason || "no such column, method or key"}#{where}." \
            "#{NearestName.hint(name, known(object))}")
    end

    private

    def known(object)
      return object.keys if object.is_a?(Hash)
      return object.class.attribute_names if object.class.respond_to?(:attribute_names)

      object.public_methods(false)
    end
  end

  # only: or except: has another shape than is accepted, or names what the serializer does not declare.
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

    # A client may have sent it.
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

    def self.not_allowed(serializer, name, allowed)
      new("#{serializer}: the field #{name.inspect} is not one of those allowed here: #{allowed.join(", ")}")
    end

    def self.not_an_association(serializer, option, name)
      new("#{serializer}: #{option}: has filters under #{name.inspect}, which is no association of it")
    end
  end

  # An association's serializer could not be found by its name.
  class SerializerNotFoundError < Error
    # What was tried: names of serializers.
    def self.by_name(serializer, association, tried)
      new("#{serializer} has no serializer for #{association.inspect}; tried #{tried.join(", ")}. " \
          "Name it with serializer: PostSerializer or serializer: \"PostSerializer\"")
    end

    # For an object of a class that an association's map of serializers does not name.
    def self.by_class(serializer, association, klass, known)
      new("#{serializer} has no serializer for #{association.inspect} where it is a #{klass}; " \
          "serializer: knows #{known.join(", ")}")
    end
  end
end
