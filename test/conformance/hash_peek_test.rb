# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Rows that are Hashes, as those of joins are, whose values are read by their position.
class HashPeekTest < TestCase
  def test_a_tested_ruby_has_it
    tested = native? && Katsu::Report::TESTED.include?(RUBY_VERSION[/\A\d+\.\d+/])
    skip "not on this build" unless tested && ENV["KATSU_VARIANT"] != "unknown"

    assert_equal true, Katsu::Report.short_cuts[:pairs]
  end

  # A value that was taken out of a Hash is still in its memory, where the others of its kind have theirs.
  def test_rows_that_are_hashes_with_gaps
    [%w[id title body], %w[id title body views draft rating price day short_at created_at]].each do |names|
      full = names.to_h { |name| [name, nil] }.merge!("id" => 1, "title" => "before", "body" => "b")
      moved = full.dup
      moved.delete("title")
      moved["title"] = "moved"
      make = -> { [full, full, moved, full, moved].map { |row| Post.instantiate(row) } }
      serializer = Class.new(Katsu::Serializer) { attributes(*names) }
      expected = make.call.map { |post| post.as_json(only: names).slice(*names) }
      assert_equal expected, JSON.parse(watched { serializer.many(make.call).to_json })
      assert_equal expected, watched { serializer.many(make.call).to_a }
    end
  end

  # Only the first column of the serializer is elsewhere.
  def test_rows_that_are_hashes_whose_first_column_moves
    serializer = Class.new(Katsu::Serializer) { attributes :title, :body }
    make = -> {
      [{"title" => "a", "body" => "b", "data" => "1"}, {"data" => "2", "body" => "c", "title" => "d"}]
        .cycle(2).map { |row| Post.instantiate(row) }
    }
    expected = [{"title" => "a", "body" => "b"}, {"title" => "d", "body" => "c"}] * 2
    assert_equal expected, JSON.parse(watched { serializer.many(make.call).to_json })
    assert_equal expected, watched { serializer.many(make.call).to_a }
  end

  # With more columns than are copied out of a row.
  def test_rows_that_are_hashes_of_many_columns
    serializer = Class.new(Katsu::Serializer) { attributes :id, :title }
    many = Array.new(40) { |index| ["more_#{index}", index] }.to_h
    make = -> {
      [{"id" => 1, "title" => "a"}, {**many, "title" => "b", "id" => 2}, {"id" => 3, "title" => "c", **many}]
        .map { |row| Post.instantiate(row) }
    }
    expected = [[1, "a"], [2, "b"], [3, "c"]].map { |id, title| {"id" => id, "title" => title} }
    [make.call, make.call.rotate].each_with_index do |records, index|
      assert_equal expected.rotate(index), JSON.parse(watched { serializer.many(records).to_json })
      assert_equal expected.rotate(index), watched { serializer.many(records).to_a }
    end
  end
end
