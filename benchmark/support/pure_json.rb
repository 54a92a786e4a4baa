# frozen_string_literal: true

# The json gem with its generator in Ruby, as it runs where there is no extension: what the ruby backend is
# measured against. Loaded before katsu, whose State is a kind of this generator's.
require "json"
require "json/truffle_ruby/generator"

verbose, $VERBOSE = $VERBOSE, nil
JSON.generator = JSON::TruffleRuby::Generator
$VERBOSE = verbose
