# frozen_string_literal: true

require "support/test_case"
require "support/database"

# Times that a record has read in Time.zone and that are printed in it, or in another one, compared with record.as_json.
class ZonedDatetimeTest < TestCase
  class Event < ActiveRecord::Base
    self.table_name = "posts"
    self.time_zone_aware_attributes = true
  end

  class EventSerializer < Katsu::Serializer
    attributes :created_at, :short_at
  end

  # At the edges of summer times and of years, where a zone has left out a day, and where its offset has seconds.
  MOMENTS = [
    "2026-03-29 00:59:59.9999",
    "2026-03-29 01:00:00",
    "2026-10-25 00:30:00",
    "2026-10-25 00:59:59.999",
    "2026-10-25 01:00:00",
    "2026-10-25 01:30:00.5",
    "2026-03-08 07:00:00",
    "2026-04-04 14:59:59",
    "2026-04-04 15:00:00",
    "2011-12-30 09:59:59",
    "2011-12-30 10:00:00",
    "2024-02-29 23:30:00",
    "2025-12-31 23:59:59.000001",
    "1970-01-01 00:00:00",
    "1893-03-31 23:06:31",
    "1893-03-31 23:06:32",
    "1883-11-18 16:59:59",
    "1600-01-01 00:00:00",
    "1599-12-31 23:59:59",
    "1599-12-31 12:00:00",
    "1582-10-15 00:00:00",
    "1582-10-04 12:00:00",
    "0001-01-01 00:00:00",
    "0000-12-31 12:00:00",
    "9999-12-31 23:59:59.9999",
    "9999-12-31 12:00:00"
  ].freeze

  # Under garbage collection at each allocation one takes as long as all of them otherwise.
  ZONES = %w[
    Europe/Berlin UTC Etc/UTC America/New_York America/St_Johns Australia/Lord_Howe Pacific/Apia Asia/Kathmandu
  ].first(GC_MODE == "normal" ? 8 : 1).freeze

  AS_LOADED = :itself.to_proc
  READ = ->(event) { event.tap(&:created_at).tap(&:short_at) }
  # The value of a text has no UTC time before it is asked for it.
  ASSIGNED = lambda do |event|
    event.tap { event.created_at = "2026-10-25 02:30:00" }.tap { event.short_at = "2026-03-29 02:30:00" }
  end
  SET_AGAIN = ->(event) { event.tap { event.created_at = event.created_at&.+(1) } }
  IN_TOKYO = ->(event) { event.tap { event.created_at = event.created_at&.in_time_zone("Tokyo") } }
  STATES = [AS_LOADED, READ, ASSIGNED, SET_AGAIN, IN_TOKYO].freeze

  def setup
    rows = MOMENTS.map { |text| "('#{text}', '#{text[0, 19]}')" }
    Event.connection.execute("INSERT INTO posts (created_at, short_at) VALUES #{rows.join(", ")}")
    @rows = Event.connection.select_all("SELECT * FROM posts").to_a
  end

  def teardown
    Event.delete_all
    Time.zone = nil
  end

  # All events, each in that state.
  def events(state)
    @rows.map { |row| state.call(Event.instantiate(row)) }
  end

  # zones: the one in which the state is made, the one in which it is printed.
  def assert_as_json(states, zones)
    make = lambda do
      Time.zone = zones[0]
      states.flat_map { |state| events(state) }.tap { Time.zone = zones[1] }
    end
    expected = JSON.parse(ActiveSupport::JSON.encode(make.call.map do |event|
      event.as_json(only: %i[created_at short_at])
    end))
    lists = Array.new(2) { list(make.call) }
    [watched { lists[0].to_json }, JSON.generate(watched { lists[1].to_a })].each do |written|
      different = expected.zip(JSON.parse(written)).each_with_index.reject { |(one, other), _| one == other }
      assert_empty different.first(3), "#{zones.join(" and then ")}: [expected, written], index"
    end
    alone = make.call[0]
    assert_equal ActiveSupport::JSON.encode(expected[0]), watched { EventSerializer.new.serialize_to_json(alone) }
  end

  def list(events)
    Katsu::ArraySerializer.new(events, each_serializer: EventSerializer)
  end

  def test_times_that_were_read_in_the_zone_they_are_printed_in
    ZONES.each { |zone| assert_as_json(STATES, [zone, zone]) }
  end

  def test_times_that_were_read_before_the_zone_was_changed
    zones = ["Europe/Berlin", "America/St_Johns", "UTC", nil].first(GC_MODE == "normal" ? 4 : 2)
    zones.permutation(2) { |pair| assert_as_json(STATES, pair) }
  end

  # The same offset, another zone.
  def test_times_of_a_zone_with_the_same_offset
    assert_as_json([READ], ["Europe/Berlin", "Europe/Paris"])
    assert_as_json([READ], ["Europe/Berlin", ActiveSupport::TimeZone["Berlin"]])
  end

  def test_times_of_zones_in_turn_within_one_call
    make = lambda do
      found = ["Europe/Berlin", "Asia/Tokyo", "UTC"].flat_map { |zone| (Time.zone = zone) && events(READ) }
      found.tap { Time.zone = "Asia/Tokyo" }
    end
    expected = JSON.parse(make.call.map { |event| event.as_json(only: %i[created_at short_at]) }.to_json)
    lists = Array.new(2) { list(make.call) }
    assert_equal expected, JSON.parse(watched { lists[0].to_json })
    assert_equal expected, JSON.parse(JSON.generate(watched { lists[1].to_a }))
  end

  # Their seconds do not fit into a word.
  def test_times_that_the_system_does_not_know
    ["Asia/Tokyo", nil].product([Time.utc(10**12), Time.utc(-10**13), Time.at(2**80, 1, in: "+02:00")]) do |zone, time|
      Time.zone = zone
      [Event.new(created_at: time), Event.instantiate("created_at" => time, "short_at" => time.utc)].each do |event|
        event.short_at = time if event.new_record?
        expected = event.as_json(only: %i[created_at short_at])
        assert_equal expected, JSON.parse(EventSerializer.new.serialize_to_json(event))
        assert_equal expected, EventSerializer.new.serialize(event)
      end
    end
  end

  def test_precision_and_format
    before = ActiveSupport::JSON::Encoding.time_precision
    [0, 1, 6].each do |precision|
      ActiveSupport::JSON::Encoding.time_precision = precision
      assert_as_json([READ, ASSIGNED], %w[Europe/Berlin Europe/Berlin])
    end
    ActiveSupport::JSON::Encoding.time_precision = before
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = false
    assert_as_json([READ, ASSIGNED], %w[Europe/Berlin Europe/Berlin])
  ensure
    ActiveSupport::JSON::Encoding.time_precision = before
    ActiveSupport::JSON::Encoding.use_standard_json_time_format = true
  end

  # A record that is written in one zone and then in another one.
  def test_what_is_written_is_not_kept_in_the_record
    readers = !native? && ActiveRecord.version < Gem::Version.new("8.0")
    skip "the ruby backend calls readers before ActiveRecord 8, which keep what they give" if readers
    event = Event.find(Event.create!(created_at: Time.utc(2026, 1, 2, 3, 4, 5)).id)
    calls = [->(record) { EventSerializer.new.serialize_to_json(record) }, ->(record) {
      EventSerializer.new.serialize(record).to_json
    }]
    calls.each do |call|
      {"Asia/Tokyo" => "12:04:05.000+09:00", "Etc/UTC" => "03:04:05.000Z"}.each do |zone, time|
        assert_includes Time.use_zone(zone) { watched { call.(event) } }, time
      end
    end
    assert_equal "UTC", Time.use_zone("UTC") { event.created_at.time_zone.name }
  end
end
