# frozen_string_literal: true

# The blog that most guides write: three posts by two authors, with comments.
require "active_record"
require "active_support/json"
require "active_support/time"

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table(:authors) { |t| t.string :name, :email }
  create_table :posts do |t|
    t.string :title
    t.text :body
    t.boolean :draft, default: false
    t.references :author
    t.datetime :created_at
  end
  create_table :comments do |t|
    t.references :post
    t.string :body
  end
end

class Author < ActiveRecord::Base
  has_many :posts
end

class Post < ActiveRecord::Base
  belongs_to :author
  has_many :comments
end

class Comment < ActiveRecord::Base
  belongs_to :post
end

ada = Author.create!(name: "Ada", email: "ada@example.com")
ben = Author.create!(name: "Ben", email: "ben@example.com")
[["Hello", "A first post", ada], ["Ruby", "It is fast now", ben],
 ["Notes", "Not done yet", ada]].each.with_index(1) do |(title, body, author), day|
  Post.create!(title: title, body: body, author: author, draft: day == 3, created_at: Time.utc(2026, 1, day, 9, 30))
end
Comment.create!(post_id: 1, body: "Welcome!")
Comment.create!(post_id: 1, body: "Nice")
