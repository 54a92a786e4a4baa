# frozen_string_literal: true

require "rbconfig"

# One build a Ruby and variant (release, debug, asan, unknown), all side by side under tmp/.
BUILD_NAME = "#{RUBY_ENGINE}-#{RUBY_VERSION}-#{ENV.fetch("KATSU_VARIANT", "release")}"
BUILD_DIR = "tmp/compile/#{BUILD_NAME}"
EXTENSION = "tmp/native/#{BUILD_NAME}/katsu/native.#{RbConfig::CONFIG["DLEXT"]}"
SOURCES = FileList["ext/katsu/**/*.{c,h,def,rb}"]

file "#{BUILD_DIR}/Makefile" => ["ext/katsu/extconf.rb", *FileList["ext/katsu/**/*.c"]] do
  mkdir_p BUILD_DIR
  # Also for a command that uses the ruby backend: the Makefile stays for the next one.
  Dir.chdir(BUILD_DIR) { sh({"KATSU_BACKEND" => nil}, RbConfig.ruby, "../../../ext/katsu/extconf.rb") }
end

file EXTENSION => ["#{BUILD_DIR}/Makefile", *SOURCES] do
  sh "make", "--quiet", "-C", BUILD_DIR
  mkdir_p File.dirname(EXTENSION)
  built = "#{BUILD_DIR}/native.#{RbConfig::CONFIG["DLEXT"]}"
  rm_f EXTENSION # a process may have loaded it
  cp built, EXTENSION if File.exist?(built)
end

desc "Compile the native extension for this Ruby into tmp/native"
task compile: EXTENSION
