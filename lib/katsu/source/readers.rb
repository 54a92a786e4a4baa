# frozen_string_literal: true

module Katsu
  module Source
    # Tells which methods are readers that Ruby made: they only return a variable or a member, so the native backend
    # reads that instead of calling them (see ext/katsu/plans/readers.h), and the ruby backend expects what is there.
    module Readers
      # A method's hash tells what it does, whatever its class. So these are the hashes of any Struct's readers.
      MEMBERS = ::Struct.new(*Array.new(32) { |index| :"m#{index}" }).then do |probe|
        probe.members.map { |name| probe.instance_method(name).hash }.freeze
      end
      private_constant :MEMBERS

      class << self
        # Where an UnboundMethod reads its value: the name of a variable, the index of a member, or nil.
        def place(method)
          return unless method.arity.zero?

          attr_reader?(method) ? :"@#{method.original_name}" : MEMBERS.index(method.hash)
        end

        private

        # Methods written in Ruby have instructions, methods in C have no source location. An attr_reader has neither
        # the one nor lacks the other, and an alias of it keeps its name.
        def attr_reader?(method)
          defined?(::RubyVM::InstructionSequence) && method.source_location &&
            ::RubyVM::InstructionSequence.of(method).nil?
        end
      end
    end
  end
end
