# frozen_string_literal: true

require "katsu"
require "katsu/grape"
require "katsu/testing/minitest"
require "katsu/testing/rspec"

# What an application may call: the modules below and their public methods. Everything else in Katsu is internal.
module PublicAPI
  PUBLIC = %w[
    Katsu Katsu::ArraySerializer Katsu::Coder Katsu::Configuration Katsu::Document Katsu::Error Katsu::FieldError
    Katsu::Fragment Katsu::GeneratorError Katsu::Grape Katsu::Grape::Formatter Katsu::InvalidFilterError
    Katsu::LazyLoadError Katsu::NeedsError Katsu::NestingError Katsu::NumberError Katsu::ObjectWriter Katsu::Place
    Katsu::Response Katsu::Response::Creator Katsu::Serializer Katsu::Serializer::Caching Katsu::Serializer::DSL
    Katsu::Serializer::Documents Katsu::Serializer::Enveloping Katsu::Serializer::Rendering Katsu::Serializer::Views
    Katsu::SerializerNotFoundError Katsu::State Katsu::Stream Katsu::Testing::Assertions Katsu::Testing::Matchers
    Katsu::UnknownAttributeError Katsu::Writer
  ].freeze

  INTERNAL = %w[
    Katsu::AsJson Katsu::BoundedCache Katsu::Caching Katsu::Cast Katsu::Chunked Katsu::EntityTag Katsu::Envelope
    Katsu::Filters Katsu::FullWrite Katsu::Generator Katsu::Instrumentation Katsu::LogSubscriber Katsu::Native
    Katsu::NearestName Katsu::Pagination Katsu::Path Katsu::Plan Katsu::Portable Katsu::Query Katsu::Ractors Katsu::Rails
    Katsu::Railtie Katsu::RenderOptions Katsu::Report Katsu::Shadow Katsu::Source Katsu::Testing Katsu::TimeFormat
  ].freeze

  # Modules whose singleton methods, or all methods, are internal: they build errors, or belong to Struct.
  WITHOUT_SINGLETON_METHODS = %w[
    Katsu::FieldError Katsu::Fragment Katsu::InvalidFilterError Katsu::NumberError Katsu::Place
    Katsu::Serializer::Rendering Katsu::SerializerNotFoundError
  ].freeze

  # Methods of Ruby itself that Katsu redefines on old Rubies only.
  REDEFINED = ["Katsu::Place#full_message"].freeze

  # owner: the module. kind: :instance or :singleton. method: a Method or UnboundMethod.
  Entry = Struct.new(:owner, :kind, :name, :method) do
    def to_s = "#{owner}#{kind == :instance ? "#" : "."}#{name}"
  end

  module_function

  # An Entry for each public method.
  def entries(modules = self.modules)
    all = modules.flat_map { |owner| instance_entries(owner) + singleton_entries(owner) }
    all.reject { |entry| REDEFINED.include?(entry.to_s) }
  end

  def modules
    PUBLIC.map { |name| Object.const_get(name) }
  end

  # Names of modules that are neither public nor internal. A new one has to be put into one of the lists.
  def undecided
    names = [Katsu, Katsu::Response].flat_map do |parent|
      parent.constants.filter_map { |name| (value = parent.const_get(name)).is_a?(Module) && value.name }
    end
    names.grep(/\AKatsu::/) - PUBLIC - INTERNAL
  end

  # The backends define the methods of some classes: in the class itself, or in a module of Katsu::Portable.
  def instance_entries(owner)
    portable = owner.ancestors.take_while { |one| one != owner.superclass }.grep(portable?) if owner.is_a?(Class)
    names = [owner, *portable].flat_map { |one| one.public_instance_methods(false) + constructor(one) }
    names.uniq.map { |name| Entry.new(owner, :instance, name, owner.instance_method(name)) }
  end

  def singleton_entries(owner)
    return [] if WITHOUT_SINGLETON_METHODS.include?(owner.name)

    names = owner.singleton_methods(false).select { |name| owner.singleton_class.public_method_defined?(name) }
    names.map { |name| Entry.new(owner, :singleton, name, owner.method(name)) }
  end

  # What new takes; the constructors of errors are internal.
  def constructor(owner)
    owner.is_a?(Class) && !(owner <= Exception) ? owner.private_instance_methods(false) & [:initialize] : []
  end

  def portable?
    ->(one) { one.name.to_s.start_with?("Katsu::Portable") }
  end
end
