# frozen_string_literal: true

# See bin/demo, which has checked the options.
require "katsu"
require_relative "packages"
require_relative "database"
require_relative "serializers"

module Demo
  BAR = 40

  module_function

  def run(limit: nil, format: "json", output: nil)
    packages, source = Packages.read(limit && Integer(limit))
    folder = File.expand_path("../tmp", __dir__)
    load_packages(File.join(folder, "packages.sqlite3"), packages, source)
    records = Demo.records
    show_one(records.max_by { |record| record.dependencies.size.clamp(0, 4) })
    write_document(records, format, output || File.join(folder, "packages.#{format}"))
    compare(contenders, records, "The same #{records.size} records to JSON, loaded beforehand")
    puts
    compare(requests, nil, "The same #{records.size} packages, from the query to JSON")
  end

  def load_packages(file, packages, source)
    puts "Reading #{packages.size} packages from #{source} into #{relative(file)}"
    Database.fill(file, packages) do |done|
      next unless $stdout.tty? || done == packages.size

      filled = done * BAR / packages.size
      print "\r  #{"#" * filled}#{"." * (BAR - filled)} #{done}/#{packages.size}"
    end
    puts
  end

  def show_one(record)
    puts "\nOne of them:\n#{Katsu.pretty_generate(PackageSerializer.new.serialize(record))}"
  end

  def write_document(records, format, file)
    File.open(file, "w") do |out|
      if format == "ndjson"
        serializer = PackageSerializer.new
        records.each { |record| out << serializer.serialize_to_json(record) << "\n" }
      else
        out << Katsu::ArraySerializer.new(records, each_serializer: PackageSerializer).to_json << "\n"
      end
    end
    puts "\nAll #{records.size} of them: #{relative(file)}, #{File.size(file) / 1024} kB of #{format}\n\n"
  end

  def compare(contenders, records, title)
    reference = nil
    results = contenders.map do |name, call|
      document = JSON.parse(call.call(records))
      reference ||= document
      # A peer that prints times otherwise is compared without them.
      same = document == reference || without_times(document) == without_times(reference)
      abort "#{name} makes another document" unless same
      [name, *measure(call, records)]
    end
    print_table(results, title)
  end

  def without_times(document)
    document.map { |package| package.except("changed_at") }
  end

  # Seconds (the best of seven calls) and objects allocated by one.
  def measure(call, records)
    seconds = Array.new(7) do
      GC.start
      start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      call.call(records)
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - start
    end
    before = GC.stat(:total_allocated_objects)
    call.call(records)
    [seconds.min, GC.stat(:total_allocated_objects) - before]
  end

  def print_table(results, title)
    puts "#{title} (Ruby #{RUBY_VERSION}, #{Katsu.backend} backend):"
    printf "%-20s %10s %12s  %s\n", "", "ms", "objects", "time"
    slowest = results.map { |_, seconds| seconds }.max
    first, ours = results.first
    results.each do |name, seconds, objects|
      bar = "█" * [(seconds * BAR / slowest).round, 1].max
      printf "%-20s %10.2f %12d  %s%s\n", name, seconds * 1000, objects, bar,
             (format(" %.1f times Katsu's", seconds / ours) if name != first)
    end
  end

  def relative(file)
    file.delete_prefix("#{File.expand_path("..", __dir__)}/")
  end
end

options = ARGV.each_slice(2).to_h { |option, value| [option.delete_prefix("--").to_sym, value] }
Demo.run(**options)
