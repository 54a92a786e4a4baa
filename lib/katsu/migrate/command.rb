# frozen_string_literal: true

module Katsu
  module Migrate
    # The command katsu.
    class Command
      USAGE = <<~TEXT
        usage: katsu migrate [--stdout] [--force] PATH ...

        Reads serializers of Alba, Blueprinter, ActiveModelSerializers, Panko and oj_serializers, from files and
        folders, and writes Katsu's beside them: app/resources/post_resource.rb becomes app/resources/post_serializer.rb. If the
        name stays the same, the new file ends in .rb.katsu, which Rails does not load. Nothing is evaluated.

          --stdout   prints the new files and writes none
          --force    writes over files that exist; otherwise they are left as they are
      TEXT
      OPTIONS = %w[--stdout --force].freeze
      private_constant :OPTIONS

      def initialize(arguments, out, err)
        @options, @paths = arguments.partition { |argument| argument.start_with?("-") }
        @out = out
        @err = err
      end

      # Returns the exit status: 0; 1 if a file could not be read or was there; 2 for other arguments.
      def run
        return usage(0) if @options.intersect?(%w[--help -h]) || (@paths.empty? && @options.empty?)
        return usage(2) unless @paths.shift == "migrate" && @paths.any? && (@options - OPTIONS).empty?

        @status = 0
        files = paths.filter_map { |path| read(path) }
        SerializerFile.relate(files)
        @taken = files.map { |file| File.expand_path(file.path) }
        files.each do |file|
          migrate(file)
        rescue SystemCallError => e
          fail(file.target, e.message)
        end
        @status
      end

      private

      def usage(status)
        (status.zero? ? @out : @err).puts USAGE
        status
      end

      def paths
        @paths.flat_map { |path| File.directory?(path) ? Dir[File.join(path, "**", "*.rb")] : [path] }.uniq.sort
      end

      def read(path)
        SerializerFile.new(path, File.read(path, encoding: Encoding::UTF_8))
      rescue SystemCallError, SyntaxError => e
        fail(path, e.message)
      end

      def migrate(file)
        return @err.puts("#{file.path}: no serializer of a gem that is known") unless file.any?

        text = file.translated
        return @out.puts("# #{file.target}", text) if @options.include?("--stdout")
        return fail(file.path, "#{file.target} is a file that is read, or was just written") if taken?(file.target)
        return fail(file.path, "#{file.target} exists; --force writes over it") if kept?(file.target)

        File.write(file.target, text)
        @taken << File.expand_path(file.target)
        @out.puts "#{file.path} -> #{file.target}"
        file.notes.each { |note| @out.puts "  not carried over: #{note}" }
        fail(file.target, "is not Ruby; please report it, with #{file.path}") if ::Prism.parse(text).errors.any?
      end

      def taken?(target) = @taken.include?(File.expand_path(target))

      def kept?(target)
        File.exist?(target) && !@options.include?("--force")
      end

      def fail(path, message)
        @err.puts "#{path}: #{message}"
        @status = 1
        nil
      end
    end
  end
end
