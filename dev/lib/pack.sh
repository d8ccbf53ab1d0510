# shellcheck shell=bash
# Debian packages unpacked, and images packed, without installing anything and without a container engine.

deterministic=(--sort=name --mtime=@1 --owner=0 --group=0 --numeric-owner --format=gnu)

fetch_packages() { # folder, packages...; as files
  (cd "$1" && shift && apt-get download "$@" >/dev/null)
}

unpack_packages() { # folder, packages...; needs no rights
  local debs package
  debs=$(mktemp -d)
  fetch_packages "$debs" "${@:2}" || { rm -rf "$debs" && return 1; }
  for package in "$debs"/*.deb; do dpkg -x "$package" "$1" || return; done
  rm -rf "$debs"
}

libraries_of() { # packages...; the libraries that they need and a bare machine lacks
  local package
  for package; do
    apt-cache depends "$package" | sed -n 's/^ *\(Pre\)\?Depends: \(lib\|lua\)/\2/p'
  done | sort -u | grep -vx 'libc6\|libssl.*\|libsystemd0'
}

all_libraries_of() { # packages...; also those that the libraries need
  apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "$@" |
    grep '^lib' | sort -u | grep -vx 'libc6\|libssl.*\|libsystemd0\|libc-bin'
}

make_root() { # folder; what every image has: a merged /usr, users and groups
  local name
  mkdir -p "$1"/{dev,etc,proc,sys,run,tmp,usr/bin,usr/lib,usr/lib64,usr/sbin,var/lib}
  for name in bin lib lib64 sbin; do ln -s "usr/$name" "$1/$name"; done
  printf 'root:x:0:0:root:/:/sbin/nologin\nredis:x:999:999:redis:/data:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/:/sbin/nologin\n' >"$1/etc/passwd"
  printf 'root:x:0:\nredis:x:999:\nnonroot:x:65532:\n' >"$1/etc/group"
  printf 'hosts: files dns\n' >"$1/etc/nsswitch.conf"
  chmod 1777 "$1/tmp"
}

pack_image() { # file, name:tag, folder, [configuration as JSON]; an image of one layer
  local work digest
  work=$(mktemp -d)
  tar "${deterministic[@]}" -cf "$work/layer.tar" -C "$3" .
  digest=$(sha256sum <"$work/layer.tar" | cut -d' ' -f1)
  cat >"$work/config.json" <<END
{"architecture":"$(dpkg --print-architecture)","os":"linux","created":"1970-01-01T00:00:00Z","config":${4-"{}"},
"rootfs":{"type":"layers","diff_ids":["sha256:$digest"]},"history":[{"created":"1970-01-01T00:00:00Z","created_by":"$2"}]}
END
  echo '[{"Config":"config.json","RepoTags":["'"$2"'"],"Layers":["layer.tar"]}]' >"$work/manifest.json"
  tar "${deterministic[@]}" -cf "$1" -C "$work" config.json layer.tar manifest.json
  rm -rf "$work"
}
