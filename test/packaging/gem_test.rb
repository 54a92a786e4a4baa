# frozen_string_literal: true

require "support/test_case"
require "fileutils"
require "open3"
require "rubygems/package"
require "tmpdir"

# The built gem: what is in it, and that it installs and works, with a compiler and without.
class GemTest < TestCase
  ROOT = File.expand_path("../..", __dir__)
  CLEAN = %w[RUBYOPT RUBYLIB BUNDLE_GEMFILE BUNDLER_SETUP KATSU_BACKEND KATSU_VARIANT LD_PRELOAD].to_h { |name| [name, nil] }.freeze

  def setup
    skip "installed once, in the plain run of the native backend" unless native? && normal_run?

    @folder = Dir.mktmpdir
    Dir.chdir(ROOT) { run!("gem", "build", "--quiet", "--output", gem_file, "katsu.gemspec") }
  end

  def teardown
    FileUtils.rm_rf(@folder) if @folder
  end

  def gem_file = File.join(@folder, "katsu.gem")

  def run!(*command, env: {})
    output, status = Open3.capture2e(CLEAN.merge(env), *command)
    assert_predicate status, :success?, "#{command.join(" ")}\n#{output}"
    output
  end

  def install(env = {})
    home = File.join(@folder, "home")
    run!(RbConfig.ruby, File.join(RbConfig::CONFIG["bindir"], "gem"), "install", "--local", "--no-document", "--install-dir", home, gem_file, env: env)
    run!(RbConfig.ruby, "-e", "require 'katsu'; puts Katsu.generate([1, {a: :b}]), Katsu.backend",
         env: {"GEM_HOME" => home, "GEM_PATH" => home})
  end

  def test_contents
    files = Gem::Package.new(gem_file).spec.files
    Dir.chdir(ROOT) { assert_empty Dir["lib/**/*.rb", "ext/**/*.{c,h}"] - files }
    assert_empty files.grep(%r{\A(test|benchmark|bin|demo|tmp)/|\.so\z})
    assert_includes files, "LICENSE"
  end

  def test_installs_and_works_with_a_compiler
    assert_equal "[1,{\"a\":\"b\"}]\nnative\n", install
  end

  def test_installs_and_works_without_a_compiler
    output = install("PATH" => File.join(@folder, "nothing"), "CC" => "none")
    assert_includes output, "[1,{\"a\":\"b\"}]\nruby\n"
    assert_equal 1, output.lines.grep(/katsu: .*ruby backend/).size, output
  end
end
