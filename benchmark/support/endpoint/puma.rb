# frozen_string_literal: true

threads 4, 4
workers 0
bind "tcp://127.0.0.1:0"
environment "production"
