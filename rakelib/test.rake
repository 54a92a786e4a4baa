# frozen_string_literal: true

desc "Run the tests on both backends; options as bin/test takes them"
task(:test) { sh "bin/test" }
