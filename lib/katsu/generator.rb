# frozen_string_literal: true

require "json"
require_relative "generator/canonical"
require_relative "generator/fragment"
require_relative "generator/stream"
