# frozen_string_literal: true

threads 5, 5
workers 0
bind "tcp://127.0.0.1:0"
environment ENV.fetch("RAILS_ENV")
