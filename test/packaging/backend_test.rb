# frozen_string_literal: true

require "support/test_case"
require "open3"

class BackendTest < TestCase
  # What a Ruby of its own prints, and its status.
  def run_ruby(script, environment = {})
    Open3.capture2e(environment, RbConfig.ruby, "-I", File.expand_path("../../lib", __dir__), "-e", script)
  end

  def load_with(backend)
    run_ruby("require 'katsu'; print Katsu.backend", {"KATSU_BACKEND" => backend})
  end

  def test_the_environment_chooses
    assert_equal "ruby", load_with("ruby").first
    assert_equal "native", load_with("native").first if native?
    output, status = load_with("java")
    refute_predicate status, :success?
    assert_match(/KATSU_BACKEND=java: accepted are native and ruby/, output)
  end

  def test_serializers_without_active_support
    script = "require 'katsu'; raise 'it is there' if defined?(ActiveSupport); " \
             "serializer = Class.new(Katsu::Serializer) { attributes :id, :at }; " \
             "print serializer.new.serialize_to_json({id: 1, at: Time.at(0).utc})"
    output, = run_ruby(script)
    assert_equal '{"id":1,"at":"1970-01-01T00:00:00.000Z"}', output
  end

  def test_nothing_is_patched
    script = "require 'json'; before = [JSON.method(:generate), String.instance_method(:to_json)]; require 'katsu'; " \
             "print before == [JSON.method(:generate), String.instance_method(:to_json)]"
    output, = run_ruby(script)
    assert_equal "true", output
  end
end
