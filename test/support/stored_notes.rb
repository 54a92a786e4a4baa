# frozen_string_literal: true

# Notes with tags in a database that several threads and connections see, for the tests of what documents of rows do to
# it. A test class that extends this gives configuration(place), of :writing, :reading or :shard.
module StoredNotes
  PLACES = %i[writing reading shard].freeze

  class TagSerializer < Katsu::Serializer
    attributes :id, :note_id, :name
  end

  # called: what a context does in the middle of a document.
  class NoteSerializer < Katsu::Serializer
    attributes :id, :text
    attribute(:called, if: -> { context }, needs: :id) { |note| context.call(note.id) }
    has_many :tags, serializer: TagSerializer
  end

  class MarkedSerializer < Katsu::Serializer
    attributes :id
    has_many :marks, serializer: TagSerializer
  end

  # Defines the models, with connections of their own, and fills the tables of each place.
  def define_notes(count = 2)
    stored = define(:Stored) { self.abstract_class = true }
    stored.connects_to(shards: {default: {writing: configuration(:writing), reading: configuration(:reading)},
                                other: {writing: configuration(:shard)}})
    tags = define(:Tag, stored) { self.table_name = "stored_tags" }
    define(:Note, stored) do
      self.table_name = "stored_notes"
      has_many :tags, -> { order(:id) }, class_name: tags.name, foreign_key: :note_id
    end
    PLACES.each { |place| fill(place, count) }
  end

  # Runs the block with the connection of a place.
  def at(place, &block)
    role = place == :reading ? :reading : :writing
    const_get(:Stored).connected_to(role: role, shard: place == :shard ? :other : :default, &block)
  end

  # A model like Note whose connection has other settings. It is made once.
  def note_with(name, **settings)
    return const_get(name) if const_defined?(name, false)

    define(name) { self.table_name = "stored_notes" }.tap do |model|
      model.establish_connection({**configuration(:writing), **settings})
      tags = const_get(:Tag).name
      model.has_many :tags, -> { order(:id) }, class_name: tags, foreign_key: :note_id
      model.has_many :marks, class_name: tags, foreign_key: :note_id
    end
  end

  private

  def define(name, parent = ActiveRecord::Base, &body)
    const_set(name, Class.new(parent)).tap { |model| model.class_eval(&body) }
  end

  # By a connection of its own: those of a reading role do not write.
  def fill(place, count)
    filler = const_defined?(:Filler, false) ? const_get(:Filler) : define(:Filler) { self.abstract_class = true }
    filler.establish_connection(configuration(place))
    create_tables(filler.connection)
    (1..count).each do |i|
      filler.connection.execute("INSERT INTO stored_notes (id, text) VALUES (#{i}, '#{place} #{i}')")
      filler.connection.execute("INSERT INTO stored_tags (note_id, name) VALUES (#{i}, 'tag #{i}')")
    end
    filler.remove_connection
  end

  def create_tables(connection)
    connection.create_table(:stored_notes, force: true) do |t|
      t.string :text
      t.string :more
    end
    connection.create_table(:stored_tags, force: true) do |t|
      t.bigint :note_id
      t.string :name
    end
  end
end
