# frozen_string_literal: true

require "rbconfig"
require "tempfile"
require "timeout"

# Puma in a process of its own, on a port of its own. The tests' application and bin/bench endpoint run in one.
class PumaProcess
  LISTENING = %r{Listening on http://127\.0\.0\.1:(\d+)}
  BOOT_SECONDS = 120
  STOP_SECONDS = 10
  private_constant :LISTENING, :BOOT_SECONDS, :STOP_SECONDS

  attr_reader :port

  # folder: the one that has config.ru and in which Puma runs. config: Puma's file of settings. ruby: options of Ruby.
  # variables: of the environment. Raises RuntimeError with what Puma printed if it does not listen.
  def initialize(folder, config, ruby:, variables:)
    @printed = Tempfile.new("katsu-puma")
    command = [RbConfig.ruby, *ruby, "-e", 'load Gem.bin_path("puma", "puma")', "--", "-C", config, "config.ru"]
    @process = Process.spawn(variables, *command, chdir: folder, in: File::NULL, out: @printed.path, err: %i[child out])
    @port = wait_for_port
  end

  # What it printed.
  def output = File.read(@printed.path, encoding: "UTF-8")

  # Ruby 3.4 can wait for ever when a listening socket is closed, so a process that does not end is killed.
  def stop
    Process.kill(:TERM, @process)
    Timeout.timeout(STOP_SECONDS) { Process.wait(@process) }
  rescue Timeout::Error
    Process.kill(:KILL, @process)
    Process.wait(@process)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  ensure
    @printed.close!
  end

  private

  def wait_for_port
    limit = now + BOOT_SECONDS
    until (found = output[LISTENING, 1])
      refuse("ended") if Process.wait(@process, Process::WNOHANG)
      refuse("does not listen") if now > limit
      sleep 0.02
    end
    Integer(found)
  end

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def refuse(what)
    printed = output[0, 2000]
    stop
    raise "the application #{what}: #{printed}"
  end
end
