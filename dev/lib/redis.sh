# shellcheck shell=bash
# A redis-server for the pods of plugins/redis: the one on PATH, otherwise Debian's package unpacked into the user's cache.
# One version runs whatever version an App asks for.

redis_dir=$tool_cache/redis
redis_oldest=7.0 # CONFIG SET of several parameters at once

is_redis_usable() { # program
  local version
  version=$("$1" --version 2>/dev/null | sed -n 's/.* v=\([0-9.]*\).*/\1/p')
  [[ -n $version ]] && printf '%s\n%s\n' "$redis_oldest" "$version" | sort -V -C
}

redis_server() { # the program, otherwise nothing
  local program
  for program in "$(command -v redis-server)" "$redis_dir/redis-server"; do
    if [[ -n $program ]] && is_redis_usable "$program"; then
      echo "$program"
      return
    fi
  done
}

unpack_redis() { # folder; needs no rights, and installs nothing
  cd "$1" || return
  # shellcheck disable=SC2046
  unpack_packages root redis-server redis-tools $(libraries_of redis-server redis-tools) || return
  wrap_redis_programs "$1"
  is_redis_usable ./redis-server
}

wrap_redis_programs() { # folder; so that the programs find their libraries
  local name
  for name in redis-server redis-cli redis-benchmark; do
    [[ ! -x $1/$name ]] || continue
    # shellcheck disable=SC2016
    printf '#!/bin/sh\nhere=$(dirname "$(readlink -f "$0")")\nLD_LIBRARY_PATH=$(echo "$here"/root/usr/lib/*-linux-gnu*) exec "$here/root/usr/bin/%s" "$@"\n' \
      "$name" >"$1/.$name.$$"
    chmod +x "$1/.$name.$$"
    mv "$1/.$name.$$" "$1/$name"
  done
}

ensure_redis() {
  local unpacked log=$tool_cache/redis.log
  [[ ! -d $redis_dir ]] || wrap_redis_programs "$redis_dir" # one of them may be newer than the folder
  [[ -z $(redis_server) ]] || return 0
  lock_cache .lock-redis 'another fetch of Redis'
  [[ -z $(redis_server) ]] || { unlock_cache && return 0; }
  unpacked=$(mktemp -d "$tool_cache/.redis.XXXXXX")
  if command -v apt-get >/dev/null && (unpack_redis "$unpacked") >"$log" 2>&1; then
    rm -rf "$redis_dir"
    chmod 755 "$unpacked"
    mv -T "$unpacked" "$redis_dir"
  else
    rm -rf "$unpacked"
    warn "no redis-server $redis_oldest or newer on PATH, and Debian's package could not be fetched (log: $log):" \
      "the pods of plugins/redis are simulated. Install redis-server, then dev/down and dev/up, for real ones"
  fi
  unlock_cache
}

# The exporter of Redis' metrics: the one on PATH, otherwise Debian's package.
redis_exporter_dir=$tool_cache/redis-exporter

redis_exporter() { # the program, otherwise nothing
  type -P redis_exporter || type -P prometheus-redis-exporter ||
    compgen -G "$redis_exporter_dir/usr/bin/prometheus-redis-exporter" || true
}

ensure_redis_exporter() {
  local unpacked log=$tool_cache/redis-exporter.log
  [[ -z $(redis_exporter) ]] || return 0
  lock_cache .lock-redis-exporter 'another fetch of the exporter'
  [[ -z $(redis_exporter) ]] || { unlock_cache && return 0; }
  unpacked=$(mktemp -d "$tool_cache/.redis-exporter.XXXXXX")
  if ! command -v apt-get >/dev/null || ! (unpack_packages "$unpacked" prometheus-redis-exporter) >"$log" 2>&1; then
    rm -rf "$unpacked"
    die "there is no redis_exporter on PATH, and Debian's prometheus-redis-exporter could not be fetched," \
      "run apt-get update and try again (log: $log)"
  fi
  rm -rf "$redis_exporter_dir"
  chmod 755 "$unpacked"
  mv -T "$unpacked" "$redis_exporter_dir"
  unlock_cache
}
