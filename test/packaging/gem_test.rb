# frozen_string_literal: true

require "support/test_case"
require "fileutils"
require "open3"
require "rubygems/package"
require "shellwords"
require "tmpdir"

# The built gem: what is in it, and that it installs and works, with a compiler and without.
class GemTest < TestCase
  ROOT = File.expand_path("../..", __dir__)
  # Nothing of this process's own bundle, backend or compiler options; a lock file of Bundler 4 is named here, too.
  CLEAN = ENV.keys.grep(/\A(BUNDLE|RUBYOPT|RUBYLIB|KATSU_|LD_PRELOAD)/).to_h { |name| [name, nil] }.freeze

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

  def home = File.join(@folder, "home")

  # Where the installed gem is, and rake, which it depends on.
  def paths
    {"GEM_HOME" => home, "GEM_PATH" => [home, *Gem.path].join(File::PATH_SEPARATOR), "MAKEFLAGS" => "-j2"}
  end

  def gem!(*arguments, env: {})
    run!(RbConfig.ruby, File.join(RbConfig::CONFIG["bindir"], "gem"), *arguments, env: paths.merge(env))
  end

  def install(env = {})
    gem!("install", "--local", "--no-document", gem_file, env: env)
    use
  end

  def use(*command, env: {})
    run!(*command, RbConfig.ruby, "-e", "require 'katsu'; puts Katsu.generate([1, {a: :b}]), Katsu.backend",
         env: paths.merge(env))
  end

  NATIVE = "[1,{\"a\":\"b\"}]\nnative\n"

  # Asserts that a program says once that the extension is not there. Returns the command that builds it.
  def assert_one_warning(output)
    assert_includes output, "[1,{\"a\":\"b\"}]\nruby\n"
    warnings = output.lines.grep(/katsu:/)
    assert_equal 1, warnings.size, output
    assert_match(/\Akatsu: the native extension is not built; the ruby backend is used, which is slower\. /,
                 warnings[0])
    warnings[0][/To build it: (.*?)  \(KATSU_BACKEND=ruby silences this\)$/, 1] or flunk output
  end

  def test_contents
    files = Gem::Package.new(gem_file).spec.files
    Dir.chdir(ROOT) { assert_empty Dir["lib/**/*.rb", "ext/**/*.{c,h,def}"] - files }
    assert_empty files.grep(%r{\A(test|benchmark|bin|demo|tmp)/|\.so\z})
    assert_includes files, "LICENSE"
  end

  def test_builds_without_a_warning
    output = Dir.chdir(ROOT) do
      # In a home without gems: RubyGems warns of gems of Ruby's own that are there in a second version.
      run!("gem", "build", "--strict", "--output", gem_file, "katsu.gemspec",
           env: {"RUBYOPT" => "-w", "GEM_HOME" => home, "GEM_PATH" => home})
    end
    assert_match(/Successfully built RubyGem/, output)
    refute_match(/warn/i, output)
  end

  def test_installs_and_works_with_a_compiler
    assert_equal NATIVE, install
  end

  def test_installs_and_works_without_a_compiler
    assert_one_warning(install("PATH" => File.join(@folder, "nothing"), "CC" => "none"))
    assert_equal "[1,{\"a\":\"b\"}]\nruby\n", use(env: {"KATSU_BACKEND" => "ruby"})
  end

  def test_installs_and_works_without_the_headers
    compiler = File.join(@folder, "cc")
    File.write(compiler, "#!/bin/sh\ngrep -qs dlfcn conftest.c && exit 1\nexec #{RbConfig::CONFIG["CC"]} \"$@\"\n")
    File.chmod(0o755, compiler)
    assert_one_warning(install("CC" => compiler))
  end

  def bundled
    {"BUNDLE_GEMFILE" => File.join(@folder, "Gemfile"), "BUNDLE_APP_CONFIG" => @folder}
  end

  # The command of Bundler; gems: what the Gemfile says from now on.
  def bundle(gems = nil)
    File.write(bundled["BUNDLE_GEMFILE"], "source 'https://rubygems.org'\n#{gems}\n") if gems
    [RbConfig.ruby, Gem.bin_path("bundler", "bundle"), "exec"]
  end

  # A compiler made of a line of shell.
  def compiler(name, line)
    path = File.join(@folder, name)
    File.write(path, "#!/bin/sh\n#{line}\n")
    File.chmod(0o755, path)
    path
  end

  # The checks of extconf.rb pass, and the extension does not compile.
  def compiler_that_fails
    compiler("cc-fails", 'case "$*" in *ext/katsu*|*buffer.c*) exit 1 ;; *) exec cc "$@" ;; esac')
  end

  # Takes a third of the time, where it is not the code that is looked at.
  def fast_compiler = {"CC" => compiler("cc-fast", 'exec cc "$@" -O0')}

  def test_a_failed_build_says_how_to_build_it
    commands = ["false", compiler_that_fails].map { |compiler| assert_one_warning(install("CC" => compiler)) }
    assert_empty Dir["#{home}/**/native.{so,bundle}"]
    assert_equal ["gem pristine katsu --version #{Katsu::VERSION}"] * 2, commands
    assert_equal "bundle pristine katsu", assert_one_warning(use(*bundle("gem 'katsu'"), env: bundled))
    gem!(*commands[0].split.drop(1), env: fast_compiler)
    assert_equal NATIVE, use
  end

  def test_a_working_copy_in_a_gemfile
    copy = File.join(@folder, "a copy")
    Gem::Package.new(gem_file).extract_files(copy)
    command = assert_one_warning(use(*bundle("gem 'katsu', path: #{copy.dump}"), env: bundled))
    assert_equal ["rake", "-f", "#{copy}/ext/katsu/Rakefile"], command.shellsplit
    run!(RbConfig.ruby, "-S", *command.shellsplit, env: paths.merge(fast_compiler))
    assert_equal NATIVE, use(*bundle, env: bundled)
    FileUtils.touch("#{copy}/ext/katsu/bindings/init.c", mtime: Time.now + 60)
    older = /does not load \(.*native\.\w+ is older than its sources\)/
    assert_match(/katsu: the native extension #{older}; the ruby backend is used/, use(*bundle, env: bundled))
  end
end
