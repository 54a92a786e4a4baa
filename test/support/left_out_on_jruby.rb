# frozen_string_literal: true

# What bin/test --jruby leaves out, each with its reason. All else in test/conformance passes on JRuby.
module LeftOutOnJRuby
  RACTORS = "JRuby has no Ractors"
  FLOATS = "JRuby's json prints floats as Java does: 1.0E14"
  STACK = "a stack that overflows is an error of Java there, not Ruby's SystemStackError"
  PROGRAM = "it starts another Ruby, and JRuby from its jars has no program"
  OBJECTS = "JRuby does not count objects"

  # They cannot be loaded.
  FILES = {"growth_test.rb" => RACTORS, "kept_objects_test.rb" => RACTORS, "ractors_test.rb" => RACTORS,
           "query/behaviour_test.rb" => "it uses the gem sqlite3"}.freeze

  TESTS = {
    /\A(Concurrency|MethodFields)Test#test_(plans_are_shareable|.*ractors)/ => RACTORS,
    /\AGenerateTest#test_option_/ => FLOATS,
    /\AOptionsTest#test_layout/ => "JRuby's json indents keys though there is no line end before them",
    /\ABadInputTest#test_(nesting|a_structure_that_contains_itself)\z/ => STACK,
    /\AObjectWriterTest#test_json_that_is_pushed\z/ => STACK,
    /\AObjectWriterTest#test_an_initialize_given_to_the_class_itself\z/ => PROGRAM,
    /\AAsJsonTest#test_defined_(before|after_values_were_written)\z/ => PROGRAM,
    /\AMethodFieldsTest#test_lambdas_methods_and_symbols_as_blocks\z/ =>
      "JRuby cannot run a composed Symbol#to_proc as a method",
    /\AErrorsTest#test_messages_are_those_of_json\z/ => "JRuby's json words an encoding's error in another way",
    /\AErrorsTest#test_a_field_error_is_a_copy_that_knows_the_place\z/ =>
      "JRuby's backtrace_locations are those of the last raise",
    /\AStreamTest#test_nothing_is_kept\z/ => OBJECTS
  }.freeze

  def self.file(path) = FILES.find { |name, _| path.end_with?("/#{name}") }&.last

  # Prepended to TestCase.
  def before_setup
    super
    reason = TESTS.find { |pattern, _| pattern.match?("#{self.class}##{name}") }&.last
    skip("left out on JRuby: #{reason}") if reason
  end
end
