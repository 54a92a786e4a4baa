# frozen_string_literal: true

module Katsu
  VERSION = "0.1.0"
end
