# frozen_string_literal: true

require_relative "lib/katsu/version"

Gem::Specification.new do |spec|
  spec.name = "katsu"
  spec.version = Katsu::VERSION
  spec.authors = ["The Katsu contributors"]
  spec.summary = "Turns values, database rows and objects into JSON, fast."
  spec.description = "A JSON generator with the interface of JSON.generate, and serializers that " \
                     "write ActiveRecord rows, Hashes and plain objects straight to JSON bytes."
  spec.homepage = "https://github.com/katsu-rb/katsu"
  spec.license = "MIT"
  spec.required_ruby_version = ">= 3.1"
  spec.metadata = {
    "rubygems_mfa_required" => "true",
    "changelog_uri" => "#{spec.homepage}/blob/main/CHANGELOG.md",
    "source_code_uri" => spec.homepage
  }

  spec.files = Dir.chdir(__dir__) do
    Dir["lib/**/*.{rb,tt}", "ext/**/*.{c,h,def,rb}", "ext/**/Rakefile", "docs/**/*.md", "sig/**/*.rbs", "exe/*"].sort +
      %w[README.md CHANGELOG.md CONVENTIONS.md LICENSE katsu.gemspec]
  end
  spec.bindir = "exe"
  spec.executables = ["katsu"]
  spec.extensions = ["ext/katsu/Rakefile"]
  # Builds the extension: see docs/decisions/2026-11-rake-builds-the-extension.md.
  spec.add_dependency "rake", ">= 12.0", "< 15"
  spec.require_paths = ["lib"]
end
