# frozen_string_literal: true

require "support/test_case"
require_relative "guide"

# Links between the guides lead somewhere: the file exists, and so does the heading.
class LinksTest < TestCase
  LINK = /\[[^\]]*\]\((?<target>[^)\s]+)\)/

  def test_links
    links = Dir.chdir(Guide::ROOT) { Dir["*.md"] + Dir["docs/**/*.md"] }.flat_map do |path|
      text = File.read(File.join(Guide::ROOT, path)).gsub(/^ *```.*?^ *```/m, "")
      text.scan(LINK).flatten.map { |target| [path, target] }
    end
    broken = links.reject { |path, target| target.match?(/\A(https?|mailto):/) || leads?(path, target) }
    assert_equal [], broken
    assert_operator links.size, :>, 20
  end

  def test_a_broken_link_is_noticed
    refute leads?("README.md", "docs/none.md")
    refute leads?("README.md", "docs/generator.md#none")
    refute leads?("docs/moving/json.md", "generator.md")
    assert leads?("docs/moving/json.md", "../generator.md#options")
  end

  private

  def leads?(path, target)
    file, heading = target.split("#", 2)
    found = file.empty? ? path : File.join(File.dirname(path), file)
    full = File.expand_path(found, Guide::ROOT)
    File.exist?(full) && (heading.nil? || headings(full).include?(heading))
  end

  # As GitHub names them.
  def headings(file)
    File.read(file).scan(/^#+ (.+)$/).flatten.map { |text| text.downcase.gsub(/[^\p{Alnum}\s_-]/, "").tr(" ", "-") }
  end
end
