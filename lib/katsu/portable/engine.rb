# frozen_string_literal: true

require_relative "json_text"
require_relative "row"
require_relative "columns"
require_relative "guess"
require_relative "code"
require_relative "batch"
require_relative "reading"
require_relative "codegen"

module Katsu
  # The ruby backend's half of a plan.
  class Plan
    module Cache
      # Whether two filters leave the same.
      def self.same?(one, other) = one == other
    end

    attr_reader :serializer, :steps, :code

    # object's JSON; "null" for nil.
    def generate(object, context, scope)
      batch = Portable::Batch.new(context, scope)
      batch.write(self, object)
      batch.out
    end

    # The JSON array of objects, an Array or what has to_a.
    def generate_all(objects, context, scope)
      batch = Portable::Batch.new(context, scope)
      batch.write_all(self, objects)
      batch.out
    end

    # The same to io, in chunks.
    def write_all(objects, context, scope, io)
      batch = Portable::Batch.new(context, scope, io)
      batch.write_all(self, objects)
      batch.flush
      io
    end

    # object as a Hash; nil for nil.
    def build(object, context, scope)
      Portable::Batch.new(context, scope).build(self, object)
    end

    # An Array of Hashes.
    def build_all(objects, context, scope)
      Portable::Batch.new(context, scope).build_all(self, objects)
    end

    private

    # The plan's code is generated with the first object of a class.
    def link(serializer, steps)
      @serializer = serializer
      @steps = steps
      @code = Portable::Code.new
    end
  end
end
