# frozen_string_literal: true

require_relative "application"
Blog::Application.initialize!
Blog::Application.load_tables
