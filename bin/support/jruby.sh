# Sourced after toolchain.sh by what runs on JRuby too: installs Java, JRuby and its gems.
#
# JRuby is the gem jruby-jars, which any Ruby can install; it runs on Debian's Java. Its versions are those of
# gemfiles/jruby.gemfile.lock and this one.

jruby_version=9.4.15.0
jruby=$root/bin/support/jruby

prepare_jruby() {
  mkdir -p "$root/tmp"
  find_ruby
  command -v java >/dev/null || debian_packages openjdk-17-jre-headless
  install_jruby
  export GEM_HOME=$root/tmp/gems/jruby-$jruby_version GEM_PATH=$root/tmp/gems/jruby-$jruby_version
  export BUNDLE_GEMFILE=$root/gemfiles/jruby.gemfile BUNDLE_APP_CONFIG=$root/tmp/bundle BUNDLE_FROZEN=true
  mkdir -p "$GEM_HOME"
  "$jruby" -S bundle check >/dev/null 2>&1 && return
  say "installing gems for JRuby $jruby_version"
  "$jruby" -S bundle install --quiet || die "bundle install failed on JRuby"
}

# Puts the jars at names without a version.
install_jruby() {
  local folder=$root/tmp/jruby/gems/jruby-jars-$jruby_version/lib
  if [ ! -e "$folder" ]; then
    say "installing JRuby $jruby_version"
    gem install jruby-jars -v "$jruby_version" --install-dir "$root/tmp/jruby" --no-document --quiet >/dev/null ||
      die "gem install jruby-jars failed"
  fi
  mkdir -p "$root/tmp/jruby/lib"
  ln -sf "$folder/jruby-core-$jruby_version-complete.jar" "$root/tmp/jruby/lib/core.jar"
  ln -sf "$folder/jruby-stdlib-$jruby_version.jar" "$root/tmp/jruby/lib/stdlib.jar"
}

run_jruby() {
  KATSU_BACKEND=ruby "$jruby" -rbundler/setup -I "$root/lib" "$@"
}
