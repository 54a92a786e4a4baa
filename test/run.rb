# frozen_string_literal: true

# test/run.rb [PATH ...] -- [MINITEST OPTIONS]: see bin/test.
separator = ARGV.index("--") || ARGV.size
paths = ARGV.slice!(0..separator) - ["--"]
paths = ["test"] if paths.empty?

require "support/test_case"

files = paths.flat_map { |path| File.directory?(path) ? Dir["#{path}/**/*_test.rb"].sort : [path] }
unless ENV["KATSU_POSTGRESQL"]
  servers = files.grep(%r{test/databases/})
  files -= servers
  puts "left out: #{servers.join(", ")}; bin/test --databases runs them" if servers.any?
end
if RUBY_ENGINE == "jruby"
  require "support/left_out_on_jruby"
  TestCase.prepend(LeftOutOnJRuby)
  left_out = files.select { |file| LeftOutOnJRuby.file(file) }
  files -= left_out
  left_out.each { |file| puts "left out on JRuby: #{file}: #{LeftOutOnJRuby.file(file)}" }
end
rails = files.grep(%r{test/rails/})
if rails.any? && rails != files # bin/test runs them in a process of their own
  files -= rails
  puts "not in this process: test/rails"
end
abort "no test files in #{paths.join(", ")}" if files.empty?
files.each { |file| require File.expand_path(file) }
puts Katsu.report
