# frozen_string_literal: true

# Makes the Makefile of katsu/native. If it cannot be built, the gem installs without it and the ruby
# backend serves; one line says so.
def skip_native(reason)
  warn "katsu: no native extension (#{reason}); the ruby backend will be used"
  File.write("Makefile", "# katsu: nothing to make\nall install clean:\n\t@:\n.PHONY: all install clean\n")
  exit!(true)
end

skip_native("KATSU_BACKEND=ruby") if ENV["KATSU_BACKEND"] == "ruby"
skip_native("#{RUBY_ENGINE} is not CRuby") unless RUBY_ENGINE == "ruby"

begin
  require "mkmf"
  RbConfig::MAKEFILE_CONFIG["CC"] = RbConfig::CONFIG["CC"] = ENV["CC"] if ENV["CC"]
  skip_native("no C compiler") unless find_executable(RbConfig.expand("$(CC)".dup).split.first)
  skip_native("the C compiler does not work") unless try_compile("int main(void) { return 0; }")
  skip_native("there is no <dlfcn.h>, <stdatomic.h>, __thread or __int128; see mkmf.log") unless try_compile(<<~C)
    #include <dlfcn.h>
    #include <stdatomic.h>
    static __thread unsigned __int128 number;
    int main(void) { return (int)number; }
  C
rescue LoadError, SystemExit, StandardError => e
  skip_native(e.message.lines.first.to_s.chomp)
end

# rubocop:disable Style/GlobalVars -- mkmf's interface
append_cflags(%w[-std=gnu11 -fvisibility=hidden -Wno-declaration-after-statement])
$CFLAGS << " -O3" unless ENV["KATSU_VARIANT"] == "debug"
$CFLAGS << " -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers"
case ENV["KATSU_VARIANT"]
when "asan"
  # Ruby's exceptions jump over C frames, whose marks on the stack would stay behind and be reported. So the
  # stack is not watched, and hardly used: output moves to heap memory, which is watched, after 64 bytes. The code of
  # fields is given row objects from its second call on.
  $CFLAGS << " --param asan-stack=0 -DKATSU_STACK_SIZE=64 -DKATSU_CALLS_BEFORE=1"
  $CFLAGS << " -g -O1 -fno-omit-frame-pointer -DKATSU_DEBUG" \
             " -fsanitize=address,undefined -fno-sanitize-recover=undefined"
  $LDFLAGS << " -fsanitize=address,undefined"
when "debug"
  $CFLAGS << " -g -O1 -DKATSU_DEBUG"
when "unknown"
  # What is built on a Ruby that this version has not seen: nothing is believed of how Ruby lays out memory.
  $CFLAGS << " -DKATSU_UNKNOWN_RUBY"
end

have_func("rb_ext_ractor_safe", "ruby.h")
have_func("rb_hash_stlike_foreach")
have_func("rb_hash_new_capa", "ruby.h")
have_func("rb_hash_bulk_insert", "ruby.h")
have_func("rb_ext_resolve_symbol", "ruby.h")
have_library("dl", "dlopen")

# The sources stand in folders, one a floor (see katsu.h). All objects go into one folder, so no two files share a name.
$srcs = Dir.glob("**/*.c", base: __dir__).sort
$VPATH.concat($srcs.map { |source| "$(srcdir)/#{File.dirname(source)}" }.uniq)
headers = Dir.glob("**/*.{h,def}", base: __dir__).sort
headers = headers.map { |header| "$(srcdir)/#{header}" }.join(" ")
create_makefile("katsu/native") { |lines| lines << "HDRS = #{headers}\n" }
