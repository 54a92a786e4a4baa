# frozen_string_literal: true

# Loads one of the two backends. KATSU_BACKEND=native|ruby chooses; otherwise native where it loads.
module Katsu
  # :native or :ruby.
  def self.backend = BACKEND

  wanted = ENV.fetch("KATSU_BACKEND", "")
  unless ["", "native", "ruby"].include?(wanted)
    raise ArgumentError, "KATSU_BACKEND=#{wanted}: accepted are native and ruby"
  end

  loaded =
    if wanted == "ruby"
      :ruby
    else
      begin
        require "katsu/native"
        :native
      rescue LoadError => e
        raise if wanted == "native"

        warn "katsu: the native extension is not there (#{e.message.lines.first.chomp}); using the ruby backend. " \
             "KATSU_BACKEND=ruby silences this."
        :ruby
      end
    end

  BACKEND = loaded
  require_relative "portable" if BACKEND == :ruby
  require_relative "generator/facade"
end
