# frozen_string_literal: true

require "etc"
require "rbconfig"

module Benchmarks
  module Instructions
    # What the number of instructions depends on besides Katsu: counts of two builds cannot be compared.
    module Builds
      module_function

      # {"ruby" => ..., "valgrind" => ...}
      def current
        {"ruby" => RUBY_DESCRIPTION, "valgrind" => first_line("valgrind", "--version"),
         "compiler" => first_line("cc", "--version"),
         "libc" => Etc.confstr(Etc::CS_GNU_LIBC_VERSION), "words of the processor" => vector_words,
         "json" => version("json"), "activerecord" => version("activerecord")}
      end

      # Sentences that say what differs.
      def differences(before, now)
        (before.keys | now.keys).reject { |key| before[key] == now[key] }
                                .map do |key|
          "#{key}: the counts were taken with #{before[key] || "-"}, this is #{now[key] || "-"}"
        end
      end

      def first_line(*command) = IO.popen(command, &:gets).to_s.strip

      # The C library and Katsu choose their routines by what the processor has.
      def vector_words
        flags = File.foreach("/proc/cpuinfo").find { |line| line.start_with?("flags") }.to_s.split
        %w[sse4_2 avx2 bmi2 erms].select { |flag| flags.include?(flag) }.join(" ")
      end

      def version(gem) = Gem.loaded_specs[gem]&.version&.to_s
    end
  end
end
