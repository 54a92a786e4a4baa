# frozen_string_literal: true

require_relative "version"

begin
  require "prism"
rescue LoadError
  raise LoadError, "katsu migrate reads Ruby with Prism, which comes with Ruby 3.3 and later. For this Ruby: " \
                   "gem install prism"
end

require_relative "migrate/source"
require_relative "migrate/arguments"
require_relative "migrate/code"
require_relative "migrate/renaming"
require_relative "migrate/translator"
require_relative "migrate/alba"
require_relative "migrate/blueprinter"
require_relative "migrate/active_model_serializers"
require_relative "migrate/panko"
require_relative "migrate/oj_serializers"
require_relative "migrate/assigned_class"
require_relative "migrate/serializer_file"
require_relative "migrate/command"

module Katsu
  # Reads serializers of other gems and writes Katsu's: `katsu migrate app/serializers`. The files are parsed, not
  # evaluated. Each construct is carried over by the Translator of its gem; what has no counterpart stays in the new
  # file as a comment that says so.
  module Migrate
    # Translators by what a class inherits from, or includes.
    PARENTS = {
      "Blueprinter::Base" => Blueprinter, "ActiveModel::Serializer" => ActiveModelSerializers,
      "Panko::Serializer" => Panko, "Oj::Serializer" => OjSerializers, "OjSerializers::Serializer" => OjSerializers
    }.freeze
    MIXINS = {"Alba::Resource" => Alba, "Alba::Serializer" => Alba}.freeze

    # The end of the name of a class of these gems.
    OLD_NAME = /(?:Resource|Blueprint|Serializer)\z/

    # The name of the serializer that a class of that name becomes: AuthorSerializer for AuthorResource.
    def self.serializer_name(name)
      "#{name.sub(OLD_NAME, "")}Serializer"
    end

    # The new text of one file. Raises SyntaxError for text that is not Ruby.
    def self.text(text)
      SerializerFile.new("text", text).tap { |file| SerializerFile.relate([file]) }.translated
    end
  end
end
