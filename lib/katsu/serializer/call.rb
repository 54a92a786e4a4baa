# frozen_string_literal: true

module Katsu
  class Serializer
    # A method of a serializer that a plan calls for a value or a condition.
    #
    # Blocks and callables become private methods of the class that declares them: self is the serializer in them, and
    # calling them takes no longer than any method (instance_exec makes an object each time).
    #
    # name: the method; arguments: how many of the object and the context it takes; body: the Proc that became a method,
    # nil for a method that the class defines; around: of a FieldRule's, the methods that it calls; captured: see
    # Call.captured. A Proc that Ractors cannot share can be called in one of them only, so its plan is not shareable.
    Call = Struct.new(:name, :arguments, :body, :around, :captured) do
      # The block or callable as a method of serializer. max: how many arguments it may take. what: the declaration, for
      # messages; gets, second: what it is given, if that is not the object and the context; around: see above. Raises
      # ArgumentError if it requires more, or keywords.
      def self.define(serializer, callable, max, what, around: nil, **given)
        body, arguments = checked(serializer, callable, max, what, **given)
        name = free_name(serializer, what)
        serializer.define_method(name, &body)
        serializer.send(:private, name)
        new(name, arguments, body, around, captured(callable)).freeze
      end

      # A number for the plain values of the variables around a block or callable, and for lists of them, of which the
      # first 100 count: blocks of one line may differ by it.
      def self.captured(callable)
        return unless callable.is_a?(Proc)

        around = callable.binding
        found = around.local_variables.to_h { |name| [name, around.local_variable_get(name)] }
        found.transform_values! { |value| ::Array === value ? ::Array.new(value).first(100) : value }
        found.select! { |_, value| ::Array === value ? value.all? { |one| plain?(one) } : plain?(value) }
        found.hash
      rescue ::ArgumentError
        nil # the Proc of a Symbol or of a method
      end

      # A name that neither the class nor its parents or children have: with a number, and with that of its parents.
      # Other classes have the same names: Ruby keeps the name of a method for good.
      def self.free_name(serializer, what)
        parents = serializer.ancestors.grep(::Class).size
        number = 1
        number += 1 while serializer.private_method_defined?(:"#{what} (#{parents}.#{number})", false)
        :"#{what} (#{parents}.#{number})"
      end
      private_class_method :free_name

      # The block or callable as a Proc, and how many arguments it is given. Takes and raises what define does.
      def self.checked(serializer, callable, max, what, gets: "the object", second: "the context")
        body = Ractors.share_proc(callable.is_a?(Proc) ? callable : callable.method(:call).to_proc)
        arguments = count(body, max)
        return [body, arguments] if arguments

        raise ArgumentError, "#{serializer}: #{what} takes #{taken(body)}; #{accepted(max, gets, second)}"
      end

      # A serializer that calls run in, without an object.
      def self.instance(serializer, context, scope)
        instance = serializer.allocate
        instance.instance_variable_set(:@context, context)
        instance.instance_variable_set(:@scope, scope)
        instance
      end

      # What the call gives for an object. instance: see Call.instance.
      def result(instance, object)
        instance.instance_variable_set(:@object, object)
        instance.__send__(name, *[object, instance.__send__(:katsu_context)].first(arguments))
      end

      # Calls of equal signature mean the same: a file may be loaded again.
      def signature
        body ? body.source_location || body : name
      end

      # The same with what the body captured, for two declarations in one class.
      def meaning = [signature, captured]

      # True if the call gives the object itself; see nested.
      def itself?
        signature == Call::ITSELF_AT
      end

      # How many arguments body is given: as many as it takes, up to max. nil if it requires more than max, or keywords.
      # A method of Ruby's own that takes any number (as &:name does) is given the object alone.
      def self.count(body, max)
        required = body.arity.negative? ? -body.arity - 1 : body.arity
        return if required > max || body.parameters.any? { |kind, _| kind == :keyreq }

        positional = body.parameters.count { |kind, _| kind == :req || kind == :opt }
        rest = body.parameters.assoc(:rest)
        return [positional, max].min unless rest

        rest.size > 1 ? max : [positional, 1].max
      end

      def self.taken(body)
        parameters = body.parameters.select { |kind, _| %i[req opt keyreq].include?(kind) }
        "(#{parameters.map { |kind, name| kind == :keyreq ? "#{name}:" : name }.join(", ")})"
      end

      def self.accepted(max, gets, second)
        return "it is given #{gets}, and #{second} if it takes two arguments" if max == 2

        "it is given #{gets}, or nothing if it takes no argument"
      end

      def self.plain?(value)
        Call::PLAIN.any? { |plain| plain === value }
      end
      private_class_method :count, :taken, :accepted, :plain?
    end
    Call::PLAIN = [::NilClass, ::TrueClass, ::FalseClass, ::Symbol, ::String, ::Integer, ::Float, ::Module].freeze
    # What gives the object that nested writes.
    Call::ITSELF = proc { |object| object }
    Call::ITSELF_AT = Call::ITSELF.source_location.each(&:freeze).freeze # which Ractors can read, as a Proc is not
  end
end
