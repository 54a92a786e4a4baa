# frozen_string_literal: true

require "active_record"
require "active_support/json"
require "active_support/time"

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define do
  create_table :authors do |t|
    t.string :name
    t.string :type
    t.integer :mentor_id
    t.timestamps
  end

  create_table :posts do |t|
    t.string :title
    t.text :body
    t.references :author
    t.json :data
    t.integer :views, default: 0
    t.bigint :big
    t.boolean :draft
    t.float :rating
    t.decimal :price, precision: 10, scale: 2
    t.date :day
    t.time :clock
    t.binary :blob
    t.datetime :created_at, precision: 6
    t.datetime :short_at, precision: 0
  end

  create_table :comments do |t|
    t.references :post
    t.string :body
  end
end

class Author < ActiveRecord::Base
  has_many :posts
  belongs_to :mentor, class_name: "Author", optional: true
  has_many :pupils, class_name: "Author", foreign_key: :mentor_id
end

class Editor < Author
  def name = "Ed. #{super}"
end

class Post < ActiveRecord::Base
  belongs_to :author, optional: true
  has_many :comments
  has_one :first_comment, class_name: "Comment"
  alias_attribute :headline, :title
  attribute :stars, :integer, default: 3
  def shout = title.upcase
  def recent = comments.to_a.last(1)
end

class Comment < ActiveRecord::Base
  belongs_to :post
end

# All tests share these tables, and each finds them empty.
module EmptyTables
  def after_teardown
    super
    [Comment, Post, Author].each(&:delete_all)
  end
end
TestCase.prepend(EmptyTables) if defined?(TestCase) # tests start processes with these tables too
