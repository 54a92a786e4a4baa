# frozen_string_literal: true

require "digest"
require "fileutils"
require_relative "blocks"

module Mutation
  # A copy of the working tree in which faults are planted.
  class Tree
    COPIED = %w[ext lib test bin gemfiles katsu.gemspec README.md CHANGELOG.md LICENSE docs].freeze

    attr_reader :folder

    def initialize(root, folder)
      @folder = folder
      FileUtils.rm_rf(folder)
      FileUtils.mkdir_p(folder)
      COPIED.each { |name| FileUtils.cp_r(File.join(root, name), folder) if File.exist?(File.join(root, name)) }
    end

    def path(name) = File.join(@folder, name)

    # Yields while the fault is in the tree.
    def with(mutant)
      File.binwrite(path(mutant.path), mutant.mutated)
      yield
    ensure
      File.binwrite(path(mutant.path), mutant.source)
    end
  end

  # Builds the extension of a tree, by the flags of a Makefile that extconf.rb made. Objects are kept by what they are
  # made of, so that a fault in one file compiles what includes it and nothing else.
  class Extension
    FLAGS = %w[-O1 -g0 -w -DKATSU_DEBUG].freeze
    # What each block is of can be told only if nothing is moved; objdump takes headers for the files that include them
    # by later versions of DWARF.
    TRACED = %w[-O0 -gdwarf-4 -w -DKATSU_DEBUG -fsanitize-coverage=trace-pc].freeze
    TRACER = File.join(__dir__, "traced.c")

    # traced: whether it says which of its blocks run, see traced.c.
    def initialize(tree, makefile_folder, cache, traced: false)
      @tree = tree
      @sources = tree.path("ext/katsu")
      @compiler = variables(makefile_folder, "$(CC) $(INCFLAGS) $(CPPFLAGS) $(CFLAGS)")
      @compile = @compiler + (traced ? TRACED : FLAGS)
      @link = variables(makefile_folder, "$(LDSHARED)")
      @link_end = variables(makefile_folder, "$(LIBPATH) $(DLDFLAGS) $(LOCAL_LIBS) $(LIBS)")
      @cache = cache
      FileUtils.mkdir_p([cache, tree.path("native/katsu")])
      @objects = objects or raise "the extension does not compile"
      @objects += [tracer] if traced
      link(@objects) or raise "the extension is not linked"
    end

    # Of a traced one, see blocks.rb.
    def blocks = Blocks.of(target)

    # :built, :same if the compiler makes of the fault what it made before, :broken if it refuses it.
    def build
      made = objects
      return :broken unless made

      same = @objects.zip(made).all? { |before, after| before == after || FileUtils.identical?(before, after) }
      return :same if same

      link(made) ? :built : :broken
    ensure
      FileUtils.rm_f(made.to_a - @objects) if @objects
    end

    private

    def variables(folder, text)
      IO.popen(["make", "-s", "-C", folder, "--eval=print-variables: ; @echo #{text}", "print-variables"], &:read).split
    end

    # The object of each C file; nil if one does not compile.
    def objects
      made = Dir[File.join(@sources, "**/*.c")].sort.map do |file|
        object = File.join(@cache, "#{File.basename(file, ".c")}-#{key(file)}.o")
        return unless File.exist?(object) || compile(file, object)

        object
      end
      made
    end

    def compile(file, object)
      system(*@compile, "-c", file.delete_prefix("#{@sources}/"), "-o", object, chdir: @sources,
             %i[out err] => File::NULL)
    end

    def tracer
      object = File.join(@cache, "traced-#{Digest::MD5.hexdigest(File.binread(TRACER))}.o")
      File.exist?(object) || system(*@compiler, "-c", TRACER, "-o", object) or raise "traced.c does not compile"
      object
    end

    def target = @tree.path("native/katsu/native.#{RbConfig::CONFIG["DLEXT"]}")

    def link(objects)
      FileUtils.rm_f(target)
      system(*@link, "-o", target, *objects, *@link_end, %i[out err] => File::NULL)
    end

    def key(file)
      texts = included(file.delete_prefix("#{@sources}/")).map { |name| File.binread(File.join(@sources, name)) }
      Digest::MD5.hexdigest([RUBY_DESCRIPTION, *@compile, *texts].join("\0"))
    end

    # The file and all headers of the extension that it includes.
    def included(name, found = [])
      return found if found.include?(name) || !File.exist?(File.join(@sources, name))

      found << name
      File.binread(File.join(@sources, name)).scan(%r{^#include "([\w/]+\.(?:h|def))"}) do |(header)|
        included(header, found)
      end
      found
    end
  end
end
