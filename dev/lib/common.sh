# shellcheck shell=bash
# Sourced by every command in dev/: the instance, its folder and ports, and how the commands report.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

declare -A base_port=(
  [etcd]=2379 [etcd-peer]=2380 [kube-apiserver]=6443 [kube-controller-manager]=10257 [kube-scheduler]=10259
  [kwok]=10247 [temporal]=7233 [temporal-ui]=8233 [temporal-metrics]=9233 [watcher]=8081 [worker]=8082
  [check-server]=8083 [argo-rollouts]=8084 [argo-rollouts-metrics]=8085 [s3]=9000 [prometheus]=9090 [redis-exporter]=9121 [postgres]=5433 [temporal-member]=6933 [temporal-history]=7234 [temporal-history-member]=6934 [temporal-matching]=7235
  [temporal-matching-member]=6935 [temporal-worker]=7239 [temporal-worker-member]=6939
)

say() { printf '%s\n' "$*"; }
warn() { printf '%s\n' "$*" >&2; }
die() {
  warn "$(basename "$0"): $*"
  exit 1
}

# What instances differ in, so that they run side by side: number added to ports, network of simulated pods, network of real nodes.
declare -A instances=(
  [demo]='0 127.1 10.100' [bench]='20000 127.3 10.102'
  [test]='10000 127.2 10.101' [test-2]='5000 127.4 10.103' [test-real]='7500 127.5 10.104'
)

# Sets the variables of one instance.
use_instance() {
  [[ -v instances[$1] ]] || die "there is no instance '$1': use one of $(printf '%s\n' "${!instances[@]}" | sort | paste -sd' ')"
  read -r port_offset pod_net node_net <<<"${instances[$1]}"
  instance=$1 on_demand=(s3 prometheus redis-exporter argo-rollouts) # servers that only dev/start starts
  instance_dir=$root/.local/$1
  pki=$instance_dir/pki
  data_dir=$instance_dir/data
  log_dir=$instance_dir/log
  pid_dir=$instance_dir/pid
  admin_kubeconfig=$instance_dir/admin.kubeconfig
  temporal_namespace=middleware
  kubernetes=$(cat "$instance_dir/kubernetes" 2>/dev/null || echo default)
  use_temporal "$(cat "$instance_dir/temporal-store" 2>/dev/null || echo embedded)"
  use_nodes "$(cat "$instance_dir/nodes" 2>/dev/null || echo simulated)"
}

# Nodes are simulated, with servers on 127.0.0.1 and the engine as local processes; or real, with all of it in a network of its own
# and the engine in the cluster.
use_nodes() {
  nodes=$1 server_host=127.0.0.1 servers=(etcd kube-apiserver kube-controller-manager kube-scheduler kwok "${temporal_processes[@]}")
  engine_processes=(watcher worker simulator)
  [[ $nodes == real ]] || return 0
  server_host=$node_net.0.1
  servers=(network etcd kube-apiserver kube-controller-manager kube-scheduler "${temporal_processes[@]}" node-1 node-2 node-3)
  engine_processes=() network_interface=nodes-$instance # 15 characters at most
}

# Temporal keeps its data in a file of its own, or in a PostgreSQL. To be followed by use_nodes.
use_temporal() {
  temporal_store=$1 temporal_processes=(temporal) temporal_ports=(temporal temporal-ui temporal-metrics)
  [[ $temporal_store == postgres ]] || return 0
  temporal_processes=(postgres temporal temporal-ui)
  temporal_ports=(temporal temporal-metrics temporal-member temporal-{history,matching,worker}{,-member})
}

port() { echo $((base_port[$1] + port_offset)); }
address() { echo "$server_host:$(port "$1")"; }

# Takes `--instance NAME` out of the arguments (default: $DEV_INSTANCE, otherwise demo); the others remain in `args`.
parse_instance() {
  local name=${DEV_INSTANCE:-demo}
  args=()
  while (($#)); do
    case $1 in
      --instance)
        (($# > 1)) || die "--instance needs a name, for example demo"
        name=$2
        shift
        ;;
      --instance=*) name=${1#*=} ;;
      -h | --help)
        sed -n '2,/^[^#]/{/^#/!q;s/^# \{0,1\}//p}' "$0"
        exit 0
        ;;
      *) args+=("$1") ;;
    esac
    shift
  done
  use_instance "$name"
}

require_commands() {
  local missing=() command
  for command; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  ((${#missing[@]} == 0)) || die "missing on PATH: ${missing[*]}. Install them and try again"
}

is_one_of() { # word, list...
  local word=$1 item
  shift
  for item; do
    [[ $item == "$word" ]] && return 0
  done
  return 1
}

kube() { kubectl --kubeconfig "$admin_kubeconfig" "$@"; }

# The tools and the engine read such variables as settings; a shell that has eval'ed dev/env exports some.
unset KUBECONFIG "${!TEMPORAL_@}" "${!ETCD_@}" "${!KWOK_@}" "${!KUBE_@}"
