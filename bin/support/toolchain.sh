# Sourced by every command of bin/: finds Ruby, installs what is missing, compiles the extension.
# Everything lands in tmp/; the only thing changed outside are Debian packages that are missing.
#
# Reads: --ruby DIR, --rails X.Y, --json-gem X.Y and --unknown-ruby from the arguments; KATSU_VARIANT (release, asan, debug,
# unknown).
# Sets:  root, args (the arguments that are left), GEM_HOME, BUNDLE_GEMFILE, RUBYLIB.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

say() { printf '%s\n' "$*" >&2; }
die() { say "$*"; exit 2; }

# The comment at the top of the command: what --help says of those that have no usage of their own.
say_header() { awk 'NR > 1 { if (!/^#/) exit; sub(/^# ?/, ""); print }' "$0"; }

# Takes --ruby, --rails, --json-gem and --unknown-ruby out of the arguments. With --json-gem there is no Rails.
take_toolchain_options() {
  args=()
  ruby_dir=${KATSU_RUBY:-}
  rails=${KATSU_RAILS:-}
  json=
  while [ $# -gt 0 ]; do
    case $1 in
      --ruby) [ $# -gt 1 ] || die "--ruby needs the folder of a Ruby"; ruby_dir=$2; shift ;;
      --rails) [ $# -gt 1 ] || die "--rails needs a version such as 8.1"; rails=$2; shift ;;
      --json-gem) [ $# -gt 1 ] || die "--json-gem needs a version such as 2.10"; json=$2; shift ;;
      --unknown-ruby) export KATSU_VARIANT=unknown ;;
      -h|--help) [ -n "${usage:-}" ] || { say_header; exit 0; }; args+=("$1") ;;
      *) args+=("$1") ;;
    esac
    shift
  done
}

debian_packages() {
  command -v apt-get >/dev/null || die "missing: $*; install them and run this again"
  [ "$(id -u)" = 0 ] || die "missing: $*; run: sudo apt-get install $*"
  say "installing Debian packages: $*"
  install_packages "$@" || die "apt-get install $* failed"
}

# Waits if another command installs packages. A server that a package starts must not keep the lock.
install_packages() {
  (
    flock 9
    { apt-get install -y -qq "$@" >/dev/null 2>&1 ||
      { apt-get update -qq >/dev/null && apt-get install -y -qq "$@" >/dev/null; }; } 9<&-
  ) 9<"${BASH_SOURCE[0]}"
}

find_ruby() {
  if [ -n "$ruby_dir" ]; then
    [ -x "$ruby_dir/bin/ruby" ] || die "--ruby: there is no $ruby_dir/bin/ruby"
    PATH=$(cd "$ruby_dir" && pwd)/bin:$PATH
  elif ! command -v ruby >/dev/null; then
    debian_packages ruby ruby-dev
  fi
  ruby_version=$(ruby -e 'print RUBY_VERSION')
  ruby_id=$(ruby -e 'print RUBY_ENGINE, "-", RUBY_VERSION')
  if [ -z "$rails" ]; then
    rails=$(ruby -e 'print RUBY_VERSION < "3.2" ? "7.2" : "8.1"')
  fi
  gemfile=${KATSU_GEMFILE:-rails}_$rails
  [ -z "$json" ] || gemfile=json_$json
  [ -f "$root/gemfiles/$gemfile.gemfile" ] || die "gemfiles/ has no $gemfile; there are: $(cd "$root/gemfiles" && echo *.gemfile)"
}

# A compiler is needed for the native backend and for the sqlite3 and json gems where they come as source.
find_compiler() {
  command -v make >/dev/null && command -v cc >/dev/null || debian_packages build-essential
  ruby -rrbconfig -e 'exit File.exist?(File.join(RbConfig::CONFIG["rubyhdrdir"], "ruby.h"))' || debian_packages ruby-dev
}

# The lockfiles are Bundler 2's. Ruby 4 comes with Bundler 4, which reads them too, and its RubyGems warns of
# Bundler 2 in each process. BUNDLER_VERSION keeps either from switching to the version that a lockfile names.
choose_bundler() {
  case $ruby_version in
    3.*) bundler_version=2.6.9 ;;
    *) bundler_version=$(ruby -e 'require "bundler/version"; print Bundler::VERSION') ;;
  esac
  export BUNDLER_VERSION=$bundler_version
}

install_gems() {
  export GEM_HOME=$root/tmp/gems/$ruby_id GEM_PATH=$root/tmp/gems/$ruby_id
  export BUNDLE_GEMFILE=$root/gemfiles/$gemfile.gemfile
  export BUNDLE_WITHOUT="${KATSU_WITHOUT-databases}" BUNDLE_APP_CONFIG=$root/tmp/bundle BUNDLE_FROZEN=${KATSU_FROZEN:-true}
  PATH=$GEM_HOME/bin:$PATH
  mkdir -p "$GEM_HOME"
  if ! gem list -i bundler -v "$bundler_version" >/dev/null; then
    say "installing bundler $bundler_version for $ruby_id"
    gem install bundler -v "$bundler_version" --no-document --quiet >/dev/null || die "gem install bundler failed"
  fi
  if ! bundle check >/dev/null 2>&1; then
    say "installing gems for $ruby_id, $gemfile (a few minutes the first time)"
    # Bundler 4 would write its version into a lock of Bundler 2, and says so; the lock is to stay as it is.
    bundle install --quiet --jobs 2 --retry 2 2> >(grep -v "^Cannot write a changed lockfile while frozen" >&2) ||
      die "bundle install failed"
    # rdoc's plugin of the gem command, which no test needs, makes RubyGems of Ruby 3.1 warn in each process.
    rm -rf "$GEM_HOME/plugins"
  fi
}

compile_extension() {
  export KATSU_VARIANT=${KATSU_VARIANT:-release}
  export RUBYLIB=$root/tmp/native/$ruby_id-$KATSU_VARIANT
  (cd "$root" && bundle exec rake --quiet compile >"$root/tmp/compile-$ruby_id.log" 2>&1) ||
    { cat "$root/tmp/compile-$ruby_id.log" >&2; die "the extension did not compile"; }
}

prepare() {
  mkdir -p "$root/tmp"
  find_ruby
  find_compiler
  choose_bundler
  # One command of a Ruby at a time: two would install into one folder, and compile in one.
  exec 8>"$root/tmp/prepare-$ruby_id.lock"
  ! command -v flock >/dev/null || flock 8
  install_gems
  compile_extension
  exec 8>&-
}

# True if Ruby has YJIT. The one of Ruby 3.1 and 3.2 is left alone.
has_yjit() { ruby -e 'exit RUBY_VERSION >= "3.3"' && ruby --yjit -e 1 2>/dev/null; }

run_ruby() { bundle exec ruby -I "$root/lib" "$@"; }
