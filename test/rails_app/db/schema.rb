# frozen_string_literal: true

ActiveRecord::Schema.define do
  create_table :authors, force: :cascade do |t|
    t.string :name, null: false
    t.timestamps
  end

  create_table :posts, force: :cascade do |t|
    t.references :author
    t.string :title
    t.text :body
    t.integer :views, default: 0
    t.decimal :price, precision: 10, scale: 2
    t.boolean :draft, default: false
    t.date :published_on
    t.json :data
    t.timestamps
  end

  create_table :comments, force: :cascade do |t|
    t.references :post
    t.references :author
    t.text :body
  end

  create_table :tags, force: :cascade do |t|
    t.string :name
  end

  create_table :posts_tags, force: :cascade, id: false do |t|
    t.references :post
    t.references :tag
  end
end
