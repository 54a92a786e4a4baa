# frozen_string_literal: true

require "katsu"
require "rails"
require_relative "rails/railtie"
