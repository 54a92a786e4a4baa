# frozen_string_literal: true

# What every gemfile of this folder shares.
source "https://rubygems.org"

gemspec path: ".."

gem "minitest", "~> 5.25"
gem "rake", "~> 13.0"
gem "rake-compiler", "~> 1.2"
