# Sourced by bin/test --databases: PostgreSQL and MariaDB of this run's own, on sockets in a temporary folder,
# stopped and removed when the command ends, however it ends.
#
# Sets: KATSU_POSTGRESQL and KATSU_MYSQL (what the tests connect to).

install_databases() {
  local missing=()
  postgres_bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1)
  [ -n "$postgres_bin" ] && [ -x "$postgres_bin/postgres" ] || missing+=(postgresql)
  command -v mariadbd >/dev/null || [ -x /usr/sbin/mariadbd ] || missing+=(mariadb-server)
  [ -e /usr/include/postgresql/libpq-fe.h ] || missing+=(libpq-dev)
  [ -e /usr/include/mariadb/mysql.h ] || missing+=(libmariadb-dev)
  [ ${#missing[@]} = 0 ] || debian_packages "${missing[@]}"
  postgres_bin=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
}

# Neither server runs as root.
as_user() {
  local user=$1
  shift
  if [ "$(id -u)" = 0 ]; then runuser -u "$user" -- "$@"; else "$@"; fi
}

start_databases() {
  install_databases
  databases=$(mktemp -d /tmp/katsu-databases.XXXXXX)
  trap stop_databases EXIT
  chmod 755 "$databases"
  mkdir "$databases/postgresql" "$databases/mysql"
  if [ "$(id -u)" = 0 ]; then
    chown postgres "$databases/postgresql"
    chown mysql "$databases/mysql"
  fi
  say "starting PostgreSQL and MariaDB in $databases"
  start_postgresql || die "PostgreSQL did not start: $(tail -n 5 "$databases/postgresql/log" 2>/dev/null)"
  start_mariadb || die "MariaDB did not start: $(tail -n 5 "$databases/mysql/log" 2>/dev/null)"
}

start_postgresql() {
  local folder=$databases/postgresql
  (cd / && as_user postgres "$postgres_bin/initdb" -D "$folder/data" -U katsu -A trust -E UTF8 --locale=C >"$databases/initdb.log" 2>&1) || return 1
  (cd / && as_user postgres "$postgres_bin/pg_ctl" -D "$folder/data" -l "$folder/log" -w \
    -o "-k $folder -c listen_addresses= -c fsync=off -c full_page_writes=off" start >/dev/null) || return 1
  export KATSU_POSTGRESQL=$folder
}

start_mariadb() {
  local folder=$databases/mysql user=()
  [ "$(id -u)" = 0 ] && user=(--user=mysql)
  mariadb-install-db --no-defaults --datadir="$folder/data" --auth-root-authentication-method=normal \
    --skip-test-db "${user[@]+"${user[@]}"}" >"$databases/install.log" 2>&1 || return 1
  PATH=$PATH:/usr/sbin mariadbd --no-defaults --datadir="$folder/data" --socket="$folder/socket" --pid-file="$folder/pid" --skip-networking \
    --innodb-flush-log-at-trx-commit=0 "${user[@]+"${user[@]}"}" >"$folder/log" 2>&1 &
  mariadb_pid=$!
  for _ in $(seq 100); do
    mariadb-admin --no-defaults --socket="$folder/socket" -u root ping >/dev/null 2>&1 && break
    kill -0 "$mariadb_pid" 2>/dev/null || return 1
    sleep 0.2
  done
  mariadb --no-defaults --socket="$folder/socket" -u root -e "CREATE DATABASE katsu CHARACTER SET utf8mb4" || return 1
  export KATSU_MYSQL=$folder/socket
}

stop_databases() {
  [ -d "$databases/postgresql/data" ] && (cd / && as_user postgres "$postgres_bin/pg_ctl" -D "$databases/postgresql/data" -m immediate stop >/dev/null 2>&1)
  if [ -n "${mariadb_pid:-}" ]; then
    kill "$mariadb_pid" 2>/dev/null && wait "$mariadb_pid" 2>/dev/null
  fi
  rm -rf "$databases"
}
