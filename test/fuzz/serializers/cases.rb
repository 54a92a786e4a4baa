# frozen_string_literal: true

require_relative "../values"
require_relative "columns"
require_relative "schema"
require_relative "declarations"
require_relative "states"

module Fuzz
  # A schema with its models, rows and serializers, and documents of it: objects in random states, under random
  # settings.
  class Cases < Values
    include Schema
    include Declarations
    include States

    CHECKS = 60
    EACH = 8 # so many sets of options for a serializer
    SINKS = %i[json json json padded rails writer response io].freeze
    ZONES = ["\"UTC\"", "\"Europe/Berlin\"", "\"America/St_Johns\"", "\"Asia/Tokyo\""].freeze

    def program
      @columns = random_columns
      @documents = {}
      statements = schema + serializers
      [Tree.new("", statements, "", separator: "\n"), Array.new(CHECKS) { check(pick(Schema::MODELS)) }]
    end

    private

    def text(source) = Tree.new(source)

    def list(sources) = sources.map { |source| text(source) }

    # Several documents of the same objects, as it is the objects that take long to make.
    def check(model)
      objects = Array.new(pick([1, 1, 1, 2, 3])) { object(model) }
      body = objects.size == 1 && one_in?(2) ? objects[0] : Tree.new("[", objects, "]")
      parts = [Tree.new("check([", Array.new(pick([8, 14])) { document(model) }, "]"),
               Tree.new(", :#{pick(SINKS)}", settings, ")", separator: ""),
               Tree.new(" { ", [body], " }", droppable: false)]
      Tree.new("", parts, "", separator: "", droppable: false)
    end

    # Of a few: a plan meets objects in many states.
    def document(model)
      pick(@documents[model] ||= of_model(model).flat_map do |name|
        Array.new(EACH) { Tree.new("[:#{name}, ", [options(name)], "]", droppable: false) }
      end)
    end

    def settings
      given = [("zone: #{pick(ZONES)}" if one_in?(3)), ("default_timezone: :local" if one_in?(6)),
               ("precision: #{pick([0, 6])}" if one_in?(8)), ("standard: false" if one_in?(12))]
      list(given.compact.map { |setting| ", #{setting}" })
    end
  end
end
