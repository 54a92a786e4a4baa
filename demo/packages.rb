# frozen_string_literal: true

# What is installed on this machine: Debian's package status database, or the installed gems where there is none.
module Demo
  Package = Struct.new(:name, :version, :section, :maintainer, :description, :installed_size, :essential, :changed_at,
                       :dependencies, keyword_init: true)

  module Packages
    STATUS = "/var/lib/dpkg/status"

    class << self
      # An Enumerator of Packages, and where they come from.
      def read(limit = nil)
        list, source = File.exist?(STATUS) ? [debian, STATUS] : [gems, "the installed gems"]
        [limit ? list.first(limit) : list, source]
      end

      private

      def debian
        changed_at = File.mtime(STATUS).utc
        File.read(STATUS, encoding: "UTF-8").split(/\n\n+/).filter_map do |text|
          fields = fields(text)
          next unless fields["Package"] && fields["Status"].to_s.end_with?(" installed")

          Package.new(
            name: fields["Package"], version: fields["Version"], section: fields.fetch("Section", "unknown"),
            maintainer: fields["Maintainer"], description: fields["Description"].to_s.gsub(/^ ?\.?/, "").strip,
            installed_size: fields["Installed-Size"].to_i, essential: fields["Essential"] == "yes",
            changed_at: changed_at, dependencies: dependencies(fields["Depends"].to_s)
          )
        end
      end

      # Name: value, further lines of a value indented.
      def fields(text)
        text.scan(/^([\w-]+): ?(.*(?:\n[ \t].*)*)/).to_h
      end

      def dependencies(text)
        text.scan(/([a-z0-9][a-z0-9+.-]+)(?::\w+)?(?: \(([^)]*)\))?/).map { |name, version| [name, version] }
      end

      def gems
        Gem::Specification.sort_by(&:name).map do |spec|
          Package.new(
            name: spec.name, version: spec.version.to_s, section: spec.licenses.first || "unknown",
            maintainer: spec.authors.join(", "), description: spec.description.to_s, installed_size: spec.files.size,
            essential: spec.default_gem?, changed_at: spec.date.utc,
            dependencies: spec.runtime_dependencies.map { |dependency| [dependency.name, dependency.requirement.to_s] }
          )
        end
      end
    end
  end
end
