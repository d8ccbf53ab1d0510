# shellcheck shell=bash
# PostgreSQL for Temporal (dev/up --temporal postgres): the one of this machine, otherwise Debian's package unpacked into the user's cache.
# It refuses to run as root; root starts it as nobody.

postgres_dir=$tool_cache/postgres
postgres_oldest=12 # of Temporal's plugin postgres12
postgres_user=()   # before a command that PostgreSQL refuses to root; from a folder that everybody may enter
((EUID)) || postgres_user=(setpriv --reuid=nobody --regid="$(id -g nobody)" --clear-groups -- env --chdir=/)

is_postgres_usable() { # folder of programs; with all that an instance needs
  local version
  [[ -x $1/initdb && -x $1/psql && -x $1/pg_basebackup ]] || return 1
  version=$("$1/postgres" --version 2>/dev/null | sed -n 's/.* \([0-9]*\)\..*/\1/p')
  [[ -n $version ]] && ((version >= postgres_oldest))
}

postgres_programs() { # the folder of the newest, otherwise nothing
  local folder
  while read -r folder; do
    if is_postgres_usable "$folder"; then
      echo "$folder"
      return
    fi
  done < <(compgen -G '/usr/lib/postgresql/*/bin' | sort -Vr; dirname "$(command -v postgres || echo .)"; compgen -G "$postgres_dir/bin")
}

unpack_postgres() { # folder; needs no rights, and installs nothing
  cd "$1" || return
  local server name
  server=$(apt-cache depends postgresql | sed -n 's/^ *Depends: \(postgresql-[0-9]*\)$/\1/p')
  # shellcheck disable=SC2046
  unpack_packages root "$server" "${server/-/-client-}" $(all_libraries_of "$server" "${server/-/-client-}") || return
  mkdir bin
  for name in postgres initdb psql pg_basebackup; do
    cat >"bin/$name" <<END
#!/bin/sh
root=\$(dirname "\$(readlink -f "\$0")")/../root
libraries=\$(printf '%s:' "\$root"/lib/*-linux-gnu* "\$root"/usr/lib/*-linux-gnu*)
LD_LIBRARY_PATH=\${libraries%:} exec "\$root"/usr/lib/postgresql/*/bin/$name "\$@"
END
    chmod +x "bin/$name"
  done
  is_postgres_usable bin
}

ensure_postgres() {
  local unpacked log=$tool_cache/postgres.log
  [[ -z $(postgres_programs) ]] || return 0
  lock_cache .lock-postgres 'another fetch of PostgreSQL'
  [[ -z $(postgres_programs) ]] || { unlock_cache && return 0; }
  unpacked=$(mktemp -d "$tool_cache/.postgres.XXXXXX")
  if ! command -v apt-get >/dev/null || ! (unpack_postgres "$unpacked") >"$log" 2>&1; then
    rm -rf "$unpacked"
    die "there is no PostgreSQL $postgres_oldest or newer, and Debian's package could not be fetched (log: $log): install postgresql and try again"
  fi
  rm -rf "$postgres_dir"
  chmod 755 "$unpacked"
  mv -T "$unpacked" "$postgres_dir"
  unlock_cache
}

require_postgres_reach() { # of the one who runs it, to its programs and its data
  local folder
  for folder in "$(postgres_programs)" "$data_dir"; do
    "${postgres_user[@]}" test -x "$folder" ||
      die "PostgreSQL cannot run as root, and nobody cannot enter $folder: work as another user," \
        "or in a checkout and with an XDG_CACHE_HOME that all may enter"
  done
}

create_postgres_data() { # with a password that only this instance knows
  local password=$instance_dir/postgres.password
  [[ ! -d $data_dir/postgres ]] || return 0
  [[ -s $password ]] || openssl rand -hex 16 >"$password" # an earlier copy of the data, restored later, has the old one
  chmod 600 "$password"
  install -d -m 700 "$data_dir/postgres.new"
  install -m 600 "$password" "$data_dir/postgres.new.password"
  ((EUID)) || chown nobody "$data_dir"/postgres.new{,.password}
  "${postgres_user[@]}" "$(postgres_programs)/initdb" -D "$data_dir/postgres.new" -U temporal --auth=scram-sha-256 \
    --pwfile="$data_dir/postgres.new.password" --no-locale -E UTF8 >"$log_dir/initdb.log" 2>&1 ||
    die "PostgreSQL could not create its data: $(last_log_line initdb) (log: $log_dir/initdb.log)"
  rm "$data_dir/postgres.new.password"
  mv "$data_dir/postgres.new" "$data_dir/postgres"
}

clear_postgres_data() { # of what SIGKILL has left: processes, which end when they see that the first is gone, and its lock
  local try
  for ((try = 0; try < 100; try++)); do
    if [[ -z $(find /proc/[0-9]*/cwd -lname "$data_dir/postgres" -print -quit 2>/dev/null) ]]; then
      rm -f "$data_dir/postgres/postmaster.pid"
      return
    fi
    sleep 0.1
  done
  die "processes of an earlier PostgreSQL still use $data_dir/postgres: end them and try again"
}

start_postgres() {
  mkdir -p "$data_dir" "$log_dir"
  require_postgres_reach
  create_postgres_data
  clear_postgres_data
  launch postgres "${postgres_user[@]}" "$(postgres_programs)/postgres" -D "$data_dir/postgres" -p "$(port postgres)" \
    -c listen_addresses=127.0.0.1 -c unix_socket_directories=
}
await_postgres() { await postgres 60 sql postgres 'SELECT 1'; }

sql() { # database, statement
  PGPASSWORD=$(<"$instance_dir/postgres.password") "$(postgres_programs)/psql" -h 127.0.0.1 -p "$(port postgres)" -U temporal \
    -d "$1" -v ON_ERROR_STOP=1 -Atqc "$2"
}
