# frozen_string_literal: true

# What every gemfile of this folder shares: each adds the ActiveRecord that it tests.
source "https://rubygems.org"

gemspec path: ".."

gem "json", "~> 3.1"
gem "minitest", "~> 5.25"
gem "rake", "~> 13.0"
gem "rake-compiler", "~> 1.2"
gem "sqlite3", "~> 2.1"

# Compared with in bin/demo and bin/bench; nothing else needs them.
group :peers do
  gem "alba", "~> 3.10"
  gem "oj", "~> 3.17"
  gem "panko_serializer", "~> 0.8.5"
end
