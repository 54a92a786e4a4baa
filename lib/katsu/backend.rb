# frozen_string_literal: true

require "rbconfig"
require "shellwords"
require_relative "generator/backend_hooks"

module Katsu
  # Loads one of the two backends: the one that KATSU_BACKEND names, native or ruby, otherwise native if it loads. If
  # native does not load and ruby was not asked for, a warning says how to build it.
  module Backend
    ROOT = File.expand_path("../..", __dir__)
    # The extension that the Rakefile of ext/katsu builds in a working copy for this version of Ruby.
    LOCAL = "#{ROOT}/lib/katsu/#{RUBY_VERSION[/\A\d+\.\d+/]}/native.#{RbConfig::CONFIG["DLEXT"]}".freeze

    class << self
      # :native or :ruby. Raises ArgumentError for another name, and LoadError if native is asked for and is not there.
      def load
        wanted = ENV.fetch("KATSU_BACKEND", "")
        unless ["", "native", "ruby"].include?(wanted)
          raise ArgumentError, "KATSU_BACKEND=#{wanted}: accepted are native and ruby"
        end

        wanted == "ruby" ? :ruby : load_native(wanted == "native")
      end

      private

      def load_native(required)
        load_extension
        :native
      rescue LoadError => e
        raise LoadError, "katsu: #{reason(e)}. To build it: #{command}" if required

        warn_of_ruby(e) if CRUBY
        :ruby
      end

      def warn_of_ruby(error)
        warn "katsu: #{reason(error)}; the ruby backend is used, which is slower. " \
             "To build it: #{command}  (KATSU_BACKEND=ruby silences this)"
      end

      def load_extension
        require "katsu/native"
      rescue LoadError => e
        raise unless e.path == "katsu/native" && File.exist?(LOCAL)
        raise LoadError, "#{LOCAL} is older than its sources" if outdated?

        require LOCAL
      end

      # True if a source of the working copy changed after the extension was built.
      def outdated?
        built = File.mtime(LOCAL)
        Dir["#{ROOT}/ext/katsu/**/*.{c,h,def,rb}"].any? { |source| File.mtime(source) > built }
      end

      def reason(error)
        return "the native extension is not built" if error.path == "katsu/native"

        "the native extension does not load (#{error.message.lines.first.chomp})"
      end

      # The command that builds the extension of an installed gem, or of a working copy (path: in a Gemfile, or -I).
      def command
        spec = defined?(::Gem) && ::Gem.loaded_specs["katsu"]
        return "rake -f #{Shellwords.escape("#{ROOT}/ext/katsu/Rakefile")}" if !spec || working_copy?(spec)

        defined?(::Bundler) ? "bundle pristine katsu" : "gem pristine katsu --version #{spec.version}"
      end

      def working_copy?(spec)
        return false unless defined?(::Bundler::Source::Path) && spec.respond_to?(:source)

        ::Bundler::Source::Path === spec.source && !(::Bundler::Source::Git === spec.source)
      end
    end

    CRUBY = RUBY_ENGINE == "ruby"
    private_constant :ROOT, :LOCAL, :CRUBY
  end

  BACKEND = Backend.load
  private_constant :Backend

  # The backend in use, :native or :ruby.
  def self.backend = BACKEND

  require_relative "portable" if BACKEND == :ruby
end
