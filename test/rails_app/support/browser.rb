# frozen_string_literal: true

require "fileutils"
require "io/nonblock"
require "io/wait"
require "json"
require "tmpdir"

# Debian's Chromium without a window, driven through a pair of pipes by its DevTools protocol.
class Browser
  PATH = %w[chromium chromium-browser google-chrome].filter_map { |name|
    ENV["PATH"].split(":").map { |folder| File.join(folder, name) }.find { |file| File.executable?(file) }
  }.first
  OPTIONS = %w[--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --remote-debugging-pipe --no-first-run
               --disable-extensions --disable-background-networking --disable-component-update].freeze
  SECONDS = 60
  private_constant :OPTIONS, :SECONDS

  # The URLs that the page asked for, and what it wrote to the console or raised, since the last visit.
  attr_reader :requests, :complaints

  def self.open
    browser = new
    yield browser
  ensure
    browser&.close
  end

  def initialize
    @folder = Dir.mktmpdir("katsu-chromium")
    @number = 0
    start
    target = call("Target.createTarget", url: "about:blank").fetch("targetId")
    @session = call("Target.attachToTarget", targetId: target, flatten: true).fetch("sessionId")
    %w[Page Network Runtime Log].each { |domain| call("#{domain}.enable") }
  rescue StandardError
    close
    raise
  end

  # Loads a page in a window of that width. scheme: "light" or "dark".
  def visit(url, width:, scheme:)
    @requests = []
    @complaints = []
    call("Emulation.setDeviceMetricsOverride", width: width, height: 900, deviceScaleFactor: 1, mobile: width < 600)
    call("Emulation.setEmulatedMedia", features: [{name: "prefers-color-scheme", value: scheme}])
    call("Page.navigate", url: url)
    receive until @events.delete("Page.loadEventFired")
  end

  # The value of an expression in JavaScript.
  def evaluate(expression)
    answer = call("Runtime.evaluate", expression: expression, returnByValue: true)
    raise answer.dig("exceptionDetails", "exception", "description") if answer["exceptionDetails"]

    answer.dig("result", "value")
  end

  # Writes a picture of the whole page.
  def picture(file)
    File.binwrite(file, call("Page.captureScreenshot", captureBeyondViewport: true).fetch("data").unpack1("m"))
  end

  def close
    Process.kill(:KILL, -@process)
    Process.wait(@process)
  rescue Errno::ESRCH, Errno::ECHILD
    nil
  ensure
    [@write, @read].each { |io| io&.close }
    FileUtils.rm_rf(@folder)
  end

  private

  def start
    @events = []
    commands, @write = IO.pipe
    @read, answers = IO.pipe
    [commands, answers].each { |io| io.nonblock = false } # Chromium takes a pipe without data for one that is closed
    @process = Process.spawn(PATH, *OPTIONS, "--user-data-dir=#{@folder}", 3 => commands, 4 => answers, pgroup: true,
                                                                           out: File::NULL, err: File::NULL)
    [commands, answers].each(&:close)
  end

  def call(method, **parameters)
    number = @number += 1
    message = {id: number, method: method, params: parameters, sessionId: @session}.compact
    @write.write(JSON.generate(message), "\0")
    nil until (answer = receive) && answer["id"] == number
    raise "#{method}: #{answer["error"]}" if answer["error"]

    answer.fetch("result")
  end

  # The next message.
  def receive
    raise "the browser does not answer" unless @read.wait_readable(SECONDS) || @read.closed?

    text = @read.gets("\0") or raise "the browser ended"
    message = JSON.parse(text.delete_suffix("\0"))
    note(message) if message.key?("method")
    message
  end

  def note(message)
    parameters = message["params"]
    case message["method"]
    when "Page.loadEventFired" then @events << message["method"]
    when "Network.requestWillBeSent" then @requests&.push(parameters.dig("request", "url"))
    when "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled" then @complaints&.push(parameters)
    end
  end
end
