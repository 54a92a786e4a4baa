# frozen_string_literal: true

require "rbs"
require_relative "public_api"

# Compares sig/ with the public methods: each has a signature that takes what the method takes, and each signature has a
# method.
class Signatures
  ROOT = File.expand_path("..", __dir__)

  # folders: with signatures.
  def initialize(folders = ["#{ROOT}/sig"])
    loader = RBS::EnvironmentLoader.new
    loader.add(library: "json", version: nil)
    folders.each { |folder| loader.add(path: Pathname(folder)) }
    @environment = RBS::Environment.from_loader(loader).resolve_type_names
    @builder = RBS::DefinitionBuilder.new(env: @environment)
  end

  attr_reader :builder

  # What is wrong, a line each.
  def faults(entries = PublicAPI.entries)
    entries.flat_map { |entry| faults_of(entry) } + orphans(entries.map(&:owner).uniq)
  end

  # The RBS::Definition::Method of an entry, or nil.
  def definition_of(entry)
    type = type_name(entry.owner)
    return unless @environment.module_name?(type)

    found = entry.kind == :instance ? @builder.build_instance(type) : @builder.build_singleton(type)
    method = found.methods[entry.name]
    method if method && (method.implemented_in || method.defined_in).to_s.start_with?("::Katsu")
  end

  private

  def type_name(owner)
    RBS::TypeName.parse("::#{owner.name}")
  end

  def faults_of(entry)
    definition = definition_of(entry)
    return ["#{entry} has no signature in sig/"] unless definition

    accepted = arguments_of(entry.method)
    definition.method_types.reject { |type| fits?(type.type, accepted) }.map do |type|
      "#{entry}: the signature #{type} does not fit its parameters, #{entry.method.parameters.inspect}"
    end
  end

  # [least, most] positional arguments; most is nil without a limit.
  def arguments_of(method)
    required = method.parameters.count { |kind, _| kind == :req }
    optional = method.parameters.count { |kind, _| kind == :opt }
    unlimited = method.parameters.any? { |kind, _| kind == :rest }
    [required, unlimited ? nil : required + optional]
  end

  def fits?(type, (least, most))
    required = type.required_positionals.size + type.trailing_positionals.size
    # Keywords arrive as one Hash in a method that has no keywords.
    required >= least && (most.nil? || required + type.optional_positionals.size <= most)
  end

  # Signatures of methods that do not exist.
  def orphans(owners)
    owners.flat_map do |owner|
      type = type_name(owner)
      next [] unless @environment.module_name?(type)

      declared(@builder.build_instance(type), type).reject do |name|
        instance?(owner, name)
      end.map { |name| "#{owner}##{name}" } +
        declared(@builder.build_singleton(type), type).reject do |name|
          owner.respond_to?(name)
        end.map { |name| "#{owner}.#{name}" }
    end.map { |name| "#{name} has a signature and does not exist" }
  end

  def declared(definition, type)
    definition.methods.filter_map do |name, method|
      name if method.implemented_in == type && method.accessibility == :public
    end
  end

  def instance?(owner, name)
    owner.method_defined?(name) || owner.private_method_defined?(name)
  end
end
