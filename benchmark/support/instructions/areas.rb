# frozen_string_literal: true

module Benchmarks
  module Instructions
    # Where the instructions of a row go: the lines of a callgrind dump, added up by the folder of their source.
    class Areas
      # Folder of ext/katsu => what is done there. A line of a header that Ruby or the compiler brings counts for the
      # function that it was inlined into.
      FOLDERS = {"plans" => "walking the plan", "records" => "fetching", "casts" => "casting",
                 "bytes" => "escaping and copying", "values" => "walking values", "bindings" => "Ruby's calls"}.freeze
      # Everything that is not Katsu's: method calls, users' code, allocation, the C library.
      REST = "Ruby's calls"
      MEMORY = "allocating"
      ALLOCATION = %r{/malloc/|\A(_int_)?(malloc|free|realloc)}

      # {area => instructions}
      def self.of(lines) = new.add(lines)

      def initialize
        @names = Hash.new { |names, kind| names[kind] = {} }
        @sums = Hash.new(0)
      end

      def add(lines)
        lines.each { |line| read(line) }
        @sums
      end

      private

      def read(line)
        case line
        when /\A(fl|fi|fe)=\((\d+)\)(?: (.*))?/ then file($1, name(:files, $2, $3))
        when /\Afn=\((\d+)\)(?: (.*))?/ then @function = name(:functions, $1, $2)
        when /\A(cfn|cfi|cfl)=\((\d+)\)(?: (.*))?/ then name($1 == "cfn" ? :functions : :files, $2, $3)
        when /\Acalls=/ then @called = true
        when /\A[+*\-\d]\S* (\d+)/ then cost(Integer($1))
        end
      end

      # Names stand in full where they come first, and by their number afterwards.
      def name(kind, number, text)
        @names[kind][number] = text if text
        @names[kind][number]
      end

      def file(kind, name)
        @file = name.to_s
        @function_file = @file if kind == "fl"
      end

      # The line after "calls=" has the cost of what was called, which is counted where it is spent.
      def cost(instructions)
        return @called = false if @called

        @sums[area] += instructions
      end

      def area
        folder = [@file, @function_file].filter_map { |file| file.to_s[%r{ext/katsu/(\w+)/}, 1] }.first
        return FOLDERS.fetch(folder, REST) if folder

        ALLOCATION.match?(@file) || ALLOCATION.match?(@function.to_s) ? MEMORY : REST
      end
    end
  end
end
