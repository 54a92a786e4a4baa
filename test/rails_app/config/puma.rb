# frozen_string_literal: true

threads 5, 5
workers 0
# A thread of Puma 7.2 that hands a connection on empties its buffer afterwards, when the next thread may have
# written the headers of a response into it.
enable_keep_alives false
bind "tcp://127.0.0.1:0"
environment ENV.fetch("RAILS_ENV")
