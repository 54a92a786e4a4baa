# frozen_string_literal: true

# Loads classes of an application again and again and prints how many of those before are still in memory: a process of
# its own, without a JIT, whose code refers to what it has run with.
require "active_record"
require "active_support/json"
require "active_support/cache"
require "rails"
require "weakref"
require "katsu/rails"

ActiveRecord::Base.establish_connection(adapter: "sqlite3", database: ":memory:")
ActiveRecord::Schema.verbose = false
ActiveRecord::Schema.define { create_table(:authors) { |t| t.timestamps } }

class Author < ActiveRecord::Base; end
Author.create!

class ReloadedApplication < Rails::Application
  config.eager_load = false
  config.logger = Logger.new(nil)
  config.secret_key_base = "katsu"
end
ReloadedApplication.initialize!

NAMES = %i[AuthorNameSerializer AuthorSerializer].freeze
KEPT = []
TIMES = Integer(ARGV.fetch(0))

def load_classes
  Object.const_set(:AuthorNameSerializer, Class.new(Katsu::Serializer) { attributes :id })
  Object.const_set(:AuthorSerializer, Class.new(Katsu::Serializer) do
    cache store: ActiveSupport::Cache::MemoryStore.new
    attributes :id
    has_one(:it, serializer: "AuthorNameSerializer", needs: [:id]) { |author| author }
  end)
end

def use_classes
  AuthorSerializer.many(Author.all).cache_key_with_version
  AuthorSerializer.many(Author.all).to_json
  AuthorSerializer.many(Author.all, scope: 1).to_json
  AuthorNameSerializer.one(Author.all).to_json
  Katsu::ArraySerializer.new(Author.all, each_serializer: {Author => AuthorSerializer}).to_json
end

# In a method of its own, so that the stack has nothing of it.
def version
  load_classes
  use_classes
  NAMES.each { |name| KEPT << WeakRef.new(Object.const_get(name)) }
  ReloadedApplication.reloader.new.class_unload! { NAMES.each { |name| Object.send(:remove_const, name) } }
end

TIMES.times { version }
4.times { GC.start }
puts "#{KEPT.count(&:weakref_alive?)} of #{KEPT.size} alive"
