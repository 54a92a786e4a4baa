# frozen_string_literal: true

require "support/test_case"
require_relative "guide"

# Every path that docs/architecture.md and CONVENTIONS.md name exists, and the tree has every folder of the library.
class ArchitectureTest < TestCase
  TREE = /^## The tree$.*?^```text\n(?<tree>.*?)^```/m
  PATH = %r{`(?<path>(?:lib|ext|test|bin|docs|sig|lint|benchmark)/[\w./]+)`}

  def test_the_tree
    assert_equal [], missing(tree_paths(text[TREE, :tree]))
    assert_operator tree_paths(text[TREE, :tree]).size, :>, 40
  end

  def test_the_tree_has_every_folder
    folders = Dir.chdir(Guide::ROOT) { Dir["{lib/katsu,ext/katsu}/*/"] }.map { |folder| folder.delete_suffix("/") }
    assert_equal [], folders - tree_paths(text[TREE, :tree]).map { |path| path.delete_suffix("/") }
  end

  def test_paths_in_the_text
    %w[docs/architecture.md CONVENTIONS.md].each do |file|
      paths = File.read(File.join(Guide::ROOT, file)).scan(PATH).flatten
      assert_operator paths.size, :>, 2
      assert_equal [], missing(paths), file
    end
  end

  def test_a_path_that_is_gone_is_noticed
    tree = "lib/katsu/\n  none.rb   nothing\n  writer.rb coder.rb  two\nbin/  commands\n"
    assert_equal %w[lib/katsu/ lib/katsu/none.rb lib/katsu/writer.rb lib/katsu/coder.rb bin/], tree_paths(tree)
    assert_equal ["lib/katsu/none.rb"], missing(tree_paths(tree))
  end

  private

  def text
    @text ||= File.read(File.join(Guide::ROOT, "docs/architecture.md"))
  end

  # The names at the beginning of each line; those of a folder's files are indented.
  def tree_paths(tree)
    folder = ""
    tree.each_line.flat_map do |line|
      names = line[/\A *(?:[\w.]+(?:\/[\w.]*)*(?:\/|\.\w+) ?)+/].to_s.split
      folder = names[0] unless line.start_with?(" ")
      names.map { |name| line.start_with?(" ") ? folder + name : name }
    end
  end

  def missing(paths)
    paths.reject { |path| File.exist?(File.join(Guide::ROOT, path)) }
  end
end
