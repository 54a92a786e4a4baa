# frozen_string_literal: true

module Katsu
  class Serializer
    # A method of a serializer that a plan calls for a value or a condition.
    #
    # Blocks and callables are made private methods of the class that declares them: self is the serializer in them, and such a
    # call takes as long as that of any method (instance_exec makes an object each time).
    #
    # name: the method; arguments: how many it is given of the object and the context; body: the Proc that was made a method, nil
    # for one that the author defined. A Proc that Ractors cannot share can be called in one only, so its plan is not shareable.
    Call = Struct.new(:name, :arguments, :body) do
      # The block or callable as a method of serializer. most: how many arguments it may take. what: what declares it.
      # Raises ArgumentError where it takes more, or keywords.
      def self.define(serializer, callable, most, what)
        body = Ractors.share_proc(callable.is_a?(Proc) ? callable : callable.method(:call).to_proc)
        arguments = count(body, most)
        raise ArgumentError, "#{serializer}: #{what} takes #{taken(body)}; #{accepted(most)}" unless arguments

        name = :"#{what} (#{callable.object_id})" # never that of another object
        unless serializer.private_method_defined?(name, false)
          serializer.define_method(name, &body)
          serializer.send(:private, name)
        end
        new(name, arguments, body).freeze
      end

      # Calls that are alike in it mean the same: a file may be loaded again.
      def signature
        body ? body.source_location || body : name
      end

      # How many arguments body is given: as many as it takes, up to most. nil where it needs more than most, or keywords.
      # A method of Ruby's own that takes any number (as &:name does) is given the object alone.
      def self.count(body, most)
        required = body.arity.negative? ? -body.arity - 1 : body.arity
        return if required > most || body.parameters.any? { |kind, _| kind == :keyreq }

        positional = body.parameters.count { |kind, _| kind == :req || kind == :opt }
        rest = body.parameters.assoc(:rest)
        return [positional, most].min unless rest

        rest.size > 1 ? most : [positional, 1].max
      end

      def self.taken(body)
        names = body.parameters.filter_map { |kind, name| kind == :keyreq ? "#{name}:" : name if %i[req opt keyreq].include?(kind) }
        "(#{names.join(", ")})"
      end

      def self.accepted(most)
        most == 2 ? "it is given the object, and the context if it takes two arguments" : "it is given the object, or nothing if it takes no argument"
      end
      private_class_method :count, :taken, :accepted
    end
  end
end
