# frozen_string_literal: true

require "support/test_case"
require "tmpdir"
require_relative "accepted"
require_relative "run"

# What bin/mutate is made of.
class MutateTest < TestCase
  RUBY = <<~SOURCE
    # frozen_string_literal: true

    class Sample
      LIMIT = 3

      def small?(number)
        return true if number < LIMIT && number.positive?

        log(number, :if) # 5 == 5
        text = "1 == 2"
        number == LIMIT ? text : nil
      end

      def each = yield(0)
    end
  SOURCE

  C = <<~SOURCE
    #include "sample.h" /* 1 < 2 */
    #define LIMIT 3
    static int small(int number)
    {
        const char *text = "a == b";
        if (number < LIMIT || number == '7') return true;
        note(number, text);
        for (int i = 0; i != number; i++) continue;
        return number & 0x0f ? 1UL : -1;
    }
  SOURCE

  # The tree that faults are planted in: its tests notice a turned comparison, but not one that is off by one.
  SAMPLE = "lib/katsu/portable/sample.rb" # a file of the ruby backend only
  LIBRARY = "def age?(number)\n  number > 17 == true\nend\n\ndef never(number)\n  number + 1\nend\n"
  TESTS = <<~SOURCE
    require "support/sample"
    class SampleTest < Minitest::Test
      def test_age = assert(age?(30))
      define_method(:"test_very young") { refute(age?(5)) }
      def test_that_fails_without_a_fault = flunk
      def test_not_reaching = assert(true)
    end
  SOURCE

  def changes(rules, source)
    rules.mutants("sample", source).map { |mutant| "#{mutant.line}: #{mutant.after}" }
  end

  def test_faults_in_ruby
    expected = [
      "4: nil", "4: LIMIT = 4", "4: LIMIT = 2", "7: nil", "7: return false if number < LIMIT && number.positive?",
      "7: return true unless number < LIMIT && number.positive?", "7: return true if true",
      "7: return true if number.positive?",
      "7: return true if number <= LIMIT && number.positive?", "7: return true if number < LIMIT", "9: nil # 5 == 5",
      "10: nil", "11: nil",
      "11: true ? text : nil", "11: false ? text : nil", "11: number != LIMIT ? text : nil", "14: def each = yield(1)"
    ]
    assert_equal expected.sort, changes(Mutation::RubyRules, RUBY).sort
  end

  def test_faults_in_c
    expected = [
      "2: #define LIMIT 4", "2: #define LIMIT 2",
      "6: if (!(number < LIMIT || number == '7')) return true;", "6: if (1) return true;",
      "6: if (number == '7') return true;",
      "6: if (number <= LIMIT || number == '7') return true;", "6: if (number < LIMIT) return true;",
      "6: if (number < LIMIT || number != '7') return true;",
      "6: if (number < LIMIT || number == '8') return true;", "6: if (number < LIMIT || number == '7') ;",
      "6: if (number < LIMIT || number == '7') return false;",
      "7: ;", "8: for (int i = 1; i != number; i++) continue;", "8: for (int i = 0; i == number; i++) continue;",
      "8: for (int i = 0; i != number; i++) ;",
      "9: return 1 ? 1UL : -1;", "9: return 0 ? 1UL : -1;", "9: return number & 16 ? 1UL : -1;",
      "9: return number & 14 ? 1UL : -1;",
      "9: return number & 0x0f ? 2UL : -1;", "9: return number & 0x0f ? 0UL : -1;",
      "9: return number & 0x0f ? 1UL : -2;", "9: return number & 0x0f ? 1UL : -0;"
    ]
    assert_equal expected.sort, changes(Mutation::CRules, C).sort
  end

  def with_tree
    skip "the same on both backends" if native?

    SQLite3::ForkSafety.suppress_warnings! if defined?(SQLite3::ForkSafety)
    Dir.mktmpdir do |folder|
      {"root/#{SAMPLE}" => LIBRARY, "root/test/sample_test.rb" => TESTS,
       "root/test/support/sample.rb" => "require \"katsu/portable/sample\"\n"}.each do |name, text|
        FileUtils.mkdir_p(File.dirname(File.join(folder, name)))
        File.write(File.join(folder, name), text)
      end
      tests = Mutation::Tests.new(folder, files: "test/*_test.rb")
      yield File.join(folder, "root"), Mutation::Tree.new(File.join(folder, "root"), File.join(folder, "tree")), tests
    end
  end

  def test_faults_are_noticed_or_survive
    with_tree do |root, tree, tests|
      outcomes = nil
      _, errors = capture_io do
        tests.prepare(tree, [SAMPLE])
        worker = Mutation::Worker.new(tree, tests)
        outcomes = Mutation::RubyRules.mutants(SAMPLE, LIBRARY).to_h do |mutant|
          ["#{mutant.line}: #{mutant.after}", worker.try(mutant)]
        end
      end
      assert_match(/left out, as they fail without a fault: SampleTest#test_that_fails_without_a_fault/, errors)
      assert_equal({"2: nil" => :noticed, "2: number >= 17 == true" => :survived, "2: number > 18 == true" => :survived,
                    "2: number > 16 == true" => :survived, "2: number > 17 != true" => :noticed,
                    "2: number > 17 == false" => :noticed, "6: nil" => :not_reached, "6: number + 2" => :not_reached,
                    "6: number + 0" => :not_reached}, outcomes)
      assert_equal LIBRARY, File.read(tree.path(SAMPLE))
      assert_equal LIBRARY, File.read(File.join(root, SAMPLE))
    end
  end

  # An endless loop, the end of the process and its death are noticed; what is no Ruby does not count.
  def test_faults_that_end_the_process
    with_tree do |_, tree, tests|
      capture_io { tests.prepare(tree, [SAMPLE]) }
      worker = Mutation::Worker.new(tree, tests)
      planted = {"exit" => :noticed, "exit!" => :noticed, "Process.kill(:KILL, $$)" => :noticed,
                 "loop { }" => :noticed, "nil" => :noticed, "number > 6" => :survived, "(" => :dead}
      place = LIBRARY.index("number >")
      outcomes = planted.to_h do |code, _|
        [code, worker.try(Mutation::Mutant.new(SAMPLE, LIBRARY, place, 19, code))]
      end
      assert_equal planted, outcomes
    end
  end

  # Which of its lines a test runs is not known any more, but whether it runs the file.
  def test_a_file_that_has_changed_since_it_was_measured
    with_tree do |_, tree, tests|
      capture_io { tests.prepare(tree, [SAMPLE]) }
      changed = "# a line before\n#{LIBRARY}"
      File.write(tree.path(SAMPLE), changed)
      assert_silent { tests.prepare(tree, [SAMPLE]) }
      worker = Mutation::Worker.new(tree, tests)
      outcomes = Mutation::RubyRules.mutants(SAMPLE, changed).first(2).map { |mutant| worker.try(mutant) }
      assert_equal %i[noticed survived], outcomes
    end
  end

  # Which tests run it is not known before they are measured again.
  def test_a_file_that_is_new_since_it_was_measured
    with_tree do |_, tree, tests|
      capture_io { tests.prepare(tree, [SAMPLE]) }
      path = "lib/katsu/portable/moved.rb"
      File.write(tree.path(path), LIBRARY)
      File.write(tree.path(SAMPLE), "require_relative 'moved'\n")
      _, errors = capture_io { tests.prepare(tree, [path]) }
      assert_match(/\Ameasuring the tests on ruby/, errors)
      found = tests.reaching(tree, Mutation::RubyRules.mutants(path, LIBRARY).first, "ruby").map(&:name)
      assert_equal ["SampleTest#test_age", "SampleTest#test_very young"], found.first(2).sort
    end
  end

  # Those that noticed faults before come first, then those of the file's name, then those that do not only load it, the
  # fast ones first; of these as many as the time allows, by what they took without a fault.
  def test_no_more_tests_than_the_time_allows
    tests = Mutation::Tests.new(__dir__, each: 3)
    all = [["slow", "a_test.rb", 2.0], ["fast", "a_test.rb", 0.5], ["own", "sample_test.rb", 3.0],
           ["before", "b_test.rb", 1.0], ["using", "c_test.rb", 2.0, {"lib/sample.rb" => [1]}]]
    all.map! { |test| Mutation::Measured::Test.new(*test) }
    2.times { tests.send(:count, "lib/sample.rb", "before") }
    ordered = tests.send(:order, "lib/sample.rb", all)
    assert_equal %w[before own using fast slow], ordered.map(&:name)
    assert_equal %w[before own], tests.send(:affordable, ordered).map(&:name)
  end

  # A test that only loads the file comes after them, even if it has noticed other faults.
  def test_tests_that_run_the_line_come_first
    with_tree do |_, tree, tests|
      capture_io { tests.prepare(tree, [SAMPLE]) }
      tests.send(:count, SAMPLE, "SampleTest#test_not_reaching")
      found = tests.reaching(tree, Mutation::RubyRules.mutants(SAMPLE, LIBRARY).first, "ruby").map(&:name)
      assert_equal ["SampleTest#test_age", "SampleTest#test_very young"], found.first(2).sort
      assert_equal ["SampleTest#test_not_reaching"], found.drop(2)
    end
  end

  def test_the_line_in_which_faults_are_planted
    with_tree do |root, _, _|
      none = Mutation::Accepted.new(File.join(root, "none.yml"))
      number = LIBRARY.lines.index { |line| line.include?("number >") } + 1
      run = Mutation::FileRun.new(root, SAMPLE, number.to_s, accepted: none, random: Random.new(1))
      planted = Array.new(10) { run.next(10) }.compact
      refute_empty planted
      assert_equal [number], planted.map(&:line).uniq
    end
  end

  def test_arguments
    paths, options = Mutation.arguments(%w[./lib/a.rb lib/b.rb:7 --seed 3 --least 70 --workers 9])
    assert_equal %w[lib/a.rb lib/b.rb:7], paths
    assert_equal({seed: 3, least: 70, workers: 2}, options.slice(:seed, :least, :workers))
    chosen = Array.new(2) { Mutation.arguments(%w[--files 2 --seed 5])[0] }
    assert_equal [2, 2], chosen.map(&:size)
    assert_equal chosen[0], chosen[1]
  end

  def test_faults_with_a_reason
    Dir.mktmpdir do |folder|
      File.write(File.join(folder, "mutations.yml"), <<~YAML)
        lib/sample.rb:
          - reason: a bound, not a rule
            mutants: ["number > 17 == true -> number > 18 == true", "gone -> away"]
        "lib/*.rb":
          - reason: its value is not used
            lines: ["^end"]
      YAML
      File.write(File.join(folder, "empty.yml"), "lib/x.rb:\n  - mutants: [a]\n")
      accepted = Mutation::Accepted.new(File.join(folder, "mutations.yml"))
      found = Mutation::RubyRules.mutants("lib/sample.rb", LIBRARY).select { |mutant| accepted.accept?(mutant) }
      assert_equal ["number > 18 == true"], found.map(&:after)
      assert_equal ["lib/sample.rb: gone -> away"], accepted.stale(["lib/sample.rb"])
      assert_empty accepted.stale(["lib/other.rb"])
      assert_match(/gives no reason/, assert_raises(RuntimeError) do
        Mutation::Accepted.new(File.join(folder, "empty.yml"))
      end.message)
    end
  end

  def test_each_committed_reason_is_of_a_fault
    root = File.expand_path("../..", __dir__)
    accepted = Mutation::Accepted.new(File.join(root, "test/mutations.yml"))
    paths = Mutation.arguments([])[0]
    assert_operator paths.size, :>, 50
    paths.each { |path| Mutation::FileRun.new(root, path, accepted: accepted, random: Random.new(1)) }
    assert_empty accepted.stale(paths), "a line has changed: is its reason in test/mutations.yml still true?"
  end

  # What a process that a test starts runs counts for the test.
  def test_lines_of_other_processes
    with_tree do |_, tree, tests|
      File.write(tree.path("test/child_test.rb"), <<~'SOURCE')
        require "minitest"
        class ChildTest < Minitest::Test
          def test_in_a_process
            code = "require %(./lib/katsu/portable/sample)\nexit never(1) == 2"
            without_bundler = {"BUNDLER_SETUP" => nil, "RUBYOPT" => ENV["RUBYOPT"].to_s[/-r\S*child_lines/]}
            assert system(without_bundler, RbConfig.ruby, "-e", code)
          end
        end
      SOURCE
      capture_io { tests.prepare(tree, [SAMPLE]) }
      worker = Mutation::Worker.new(tree, tests)
      last = Mutation::RubyRules.mutants(SAMPLE, LIBRARY).last
      assert_equal ["number + 1 -> number + 0", :noticed], [last.to_s, worker.try(last)]
    end
  end

  # Which lines a fault asks for: its own in a method, those of its users in a constant, those of its statement in C.
  def test_lines
    Dir.mktmpdir do |folder|
      {"lib/sample.rb" => RUBY, "lib/user.rb" => "def used\n  [\n    Sample::LIMIT\n  ]\nend\n",
       "ext/sample.c" => C, "ext/other.h" => "int a;\n"}.each do |name, text|
        FileUtils.mkdir_p(File.dirname(File.join(folder, "root", name)))
        File.write(File.join(folder, "root", name), text)
      end
      tree = Mutation::Tree.new(File.join(folder, "root"), File.join(folder, "tree"))
      lines = Mutation::Lines.new(tree, {"ext/sample.c" => [4, 5, 6, 8, 10]})
      assert_equal [["lib/sample.rb", 9]], lines.of("lib/sample.rb", 9)
      assert_equal (7..12).map { |line| ["lib/sample.rb", line] }, lines.of("lib/sample.rb", 6)
      assert_includes lines.of("lib/sample.rb", 4), ["lib/user.rb", 3]
      assert_equal [["ext/sample.c", 6]], lines.of("ext/sample.c", 7)
      assert_includes lines.of("ext/sample.c", 2), ["ext/sample.c", 6]
      assert_equal [], lines.of("ext/other.h", 1)
    end
  end
end
