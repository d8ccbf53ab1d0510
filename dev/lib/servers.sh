# shellcheck shell=bash
# The servers of an instance, one start_<name> each, with the settings that measured fast.

declare -A server_ports=(
  [etcd]='etcd etcd-peer' [kube-apiserver]=kube-apiserver [kube-controller-manager]=kube-controller-manager
  [kube-scheduler]=kube-scheduler [kwok]=kwok [postgres]=postgres [temporal-ui]=temporal-ui [s3]=s3
  [prometheus]=prometheus [redis-exporter]=redis-exporter
  [argo-rollouts]='argo-rollouts argo-rollouts-metrics'
)
ports_of() { # server
  if [[ $1 == temporal ]]; then echo "${temporal_ports[@]}"; else echo "${server_ports[$1]-}"; fi
}

# What differs with the nodes. The addresses of simulated pods are loopback ones, which Endpoints may not hold: their controllers
# would retry for ever.
api_flags() { [[ $nodes == real ]] && echo --enable-admission-plugins=NodeRestriction || echo --endpoint-reconciler-type=none; }
controller_flags() {
  [[ $nodes == real ]] && echo --controllers=* --cluster-cidr="$node_net.0.0/16" --allocate-node-cidrs=false ||
    echo '--controllers=*,-endpoints-controller,-endpointslice-controller,-endpointslice-mirroring-controller'
}

# Memory for time: the servers collect garbage half as often as they would.
export GOGC=200

start_etcd() {
  local client peer
  client=http://127.0.0.1:$(port etcd) peer=http://127.0.0.1:$(port etcd-peer)
  launch etcd "${network[@]}" etcd --name local --data-dir "$data_dir/etcd" --auto-compaction-retention 1 \
    --listen-client-urls "$client" --advertise-client-urls "$client" \
    --listen-peer-urls "$peer" --initial-advertise-peer-urls "$peer" --initial-cluster "local=$peer"
}
await_etcd() { await etcd 30 in_network curl -fs "http://127.0.0.1:$(port etcd)/health"; }

start_kube-apiserver() {
  launch kube-apiserver "${network[@]}" kube-apiserver --etcd-servers="http://127.0.0.1:$(port etcd)" \
    --bind-address="$server_host" --secure-port="$(port kube-apiserver)" --advertise-address="$server_host" \
    "$(api_flags)" --allow-privileged=true --authorization-mode=Node,RBAC \
    --tls-cert-file="$pki/server.crt" --tls-private-key-file="$pki/server.key" --client-ca-file="$pki/ca.crt" \
    --service-account-issuer=https://kubernetes.default.svc.cluster.local --service-cluster-ip-range=10.96.0.0/16 \
    --service-account-key-file="$pki/sa.pub" --service-account-signing-key-file="$pki/sa.key" \
    --kubelet-client-certificate="$pki/admin.crt" --kubelet-client-key="$pki/admin.key" \
    --kubelet-preferred-address-types=InternalIP \
    --audit-policy-file="$root/dev/conf/audit-policy.yaml" --audit-log-path="$log_dir/audit.log"
}
await_kube-apiserver() { await kube-apiserver 120 kube get --raw /readyz; }

start_kube-controller-manager() {
  local config=$instance_dir/kube-controller-manager.kubeconfig flags
  read -ra flags < <(controller_flags)
  launch kube-controller-manager "${network[@]}" kube-controller-manager --kubeconfig="$config" \
    --authentication-kubeconfig="$config" --authorization-kubeconfig="$config" \
    --bind-address="$server_host" --secure-port="$(port kube-controller-manager)" --leader-elect=false \
    --use-service-account-credentials=true --service-account-private-key-file="$pki/sa.key" \
    --root-ca-file="$pki/ca.crt" --pvclaimbinder-sync-period=5s "${flags[@]}" \
    --kube-api-qps=2000 --kube-api-burst=4000 --concurrent-statefulset-syncs=20
}
await_kube-controller-manager() {
  await kube-controller-manager 60 curl -fsk "https://$(address kube-controller-manager)/healthz"
}

# A volume claim that is bound while its pod is being tried may be missed; by default the pod is tried again after 5 minutes.
start_kube-scheduler() {
  local config=$instance_dir/kube-scheduler.kubeconfig
  launch kube-scheduler "${network[@]}" kube-scheduler --kubeconfig="$config" \
    --authentication-kubeconfig="$config" --authorization-kubeconfig="$config" \
    --bind-address="$server_host" --secure-port="$(port kube-scheduler)" --leader-elect=false \
    --kube-api-qps=2000 --kube-api-burst=4000 --pod-max-in-unschedulable-pods-duration=10s
}
await_kube-scheduler() { await kube-scheduler 60 curl -fsk "https://$(address kube-scheduler)/healthz"; }

hosted_pods() { # what tells pods with a real process from others, in jq
  local process='.metadata.annotations["local.middleware.io/process"]' job='.metadata.labels["batch.kubernetes.io/job-name"] != null'
  [[ -n $(redis_server) ]] || { echo false && return; }
  has_roots && job=true
  echo "($process | IN(\"redis\", \"sentinel\")) or ($process == \"command\" and $job)"
}

has_roots() { # whether each container of a pod can have a root of its own, with its volumes and the names of other pods
  unshare --user --map-root-user --mount --uts true 2>/dev/null
}
warn_without_roots() {
  has_roots || warn "this machine does not let you make namespaces (unshare --user --mount): pods of StatefulSets with" \
    "local.middleware.io/process: command are simulated. Allow user namespaces, then dev/down and dev/up, for real ones"
}

start_kwok() {
  sed "s#@HOSTED@#$(hosted_pods)#g" "$root/dev/conf/kwok.yaml" >"$instance_dir/kwok.yaml"
  launch kwok kwok --kubeconfig="$admin_kubeconfig" --config="$instance_dir/kwok.yaml" \
    --manage-all-nodes=false --manage-nodes-with-label-selector=local.middleware.io/kubelet=on \
    --cidr="$pod_net.0.0/24" --node-ip=127.0.0.1 --node-port="$(port kwok)" --server-address="$(address kwok)" \
    --tls-cert-file="$pki/server.crt" --tls-private-key-file="$pki/server.key" --node-lease-duration-seconds=40
}
await_kwok() { await kwok 60 kube wait --for=condition=Ready node --all --timeout=1s; }

# An S3 server for backups, with TLS; each folder in data/s3/buckets is a bucket. Its key is made once for each instance.
start_s3() {
  local key=$instance_dir/s3.key
  ensure_tools versitygw
  mkdir -p "$data_dir"/s3/{metadata,buckets/backups}
  [[ -s $key ]] || (umask 077 && openssl rand -hex 20 >"$key")
  ROOT_ACCESS_KEY=local ROOT_SECRET_KEY=$(<"$key") launch s3 "${network[@]}" versitygw --quiet --keep-alive --health /health \
    --port "$(address s3)" --cert "$pki/server.crt" --key "$pki/server.key" posix --sidecar "$data_dir/s3/metadata" "$data_dir/s3/buckets"
}
await_s3() { await s3 30 in_network curl -fs --cacert "$pki/ca.crt" "https://$(address s3)/health"; }

# A Prometheus that scrapes the engine, and with the exporter each real Redis, and that evaluates the alerts of the Plugins.
start_prometheus() {
  local config=$instance_dir/prometheus.yaml alerts=$instance_dir/alerts rules
  [[ $nodes == simulated ]] || die "prometheus is for simulated nodes: this instance has real ones"
  ensure_tools prometheus
  start_if_missing redis-exporter
  await_redis-exporter
  sed -e "s/@WATCHER@/$(address watcher)/; s/@WORKER@/$(address worker)/; s/@TEMPORAL@/$(address temporal-metrics)/" \
    -e "s/@ETCD@/127.0.0.1:$(port etcd)/; s/@PROMETHEUS@/$(address prometheus)/; s/@REDIS_EXPORTER@/$(address redis-exporter)/" \
    -e "s#@KUBECONFIG@#$admin_kubeconfig#; s#@ALERTS@#$alerts#" "$root/dev/conf/prometheus.yaml" >"$config"
  mkdir -p "$alerts"
  for rules in "$root"/plugins/*/monitoring/rules.yaml; do # the spec of each is what a Prometheus reads
    sed '1,/^spec:/d; s/^  //' "$rules" >"$alerts/$(basename "${rules%/monitoring/*}").yaml"
  done
  launch prometheus prometheus --config.file="$config" --web.listen-address="$(address prometheus)" \
    --storage.tsdb.path="$data_dir/prometheus"
}
await_prometheus() { await prometheus 30 curl -fs "http://$(address prometheus)/-/ready"; }

start_redis-exporter() { # of whatever Redis it is asked for
  ensure_redis_exporter
  launch redis-exporter "$(redis_exporter)" --redis.addr= --web.listen-address="$(address redis-exporter)" --connection-timeout=1s
}
await_redis-exporter() { await redis-exporter 30 curl -fs "http://$(address redis-exporter)/health"; }

# The controller that dev/bench P19 compares with, with the rights of an administrator. Its calls are not limited, as those of the
# controllers of Kubernetes are not.
start_argo-rollouts() {
  ensure_tools argo-rollouts
  kube apply --server-side -k "$(tool_dir argo-rollouts)/crds" >"$log_dir/argo-rollouts-crds.log" 2>&1 &&
    kube wait --for=condition=Established --timeout=60s crd --all >>"$log_dir/argo-rollouts-crds.log" 2>&1 ||
    die "the CRDs of Argo Rollouts could not be applied: $(last_log_line argo-rollouts-crds)"
  launch argo-rollouts "${network[@]}" rollouts-controller --kubeconfig="$admin_kubeconfig" --leader-elect=false \
    --qps=2000 --burst=4000 --healthzPort="$(port argo-rollouts)" --metricsPort="$(port argo-rollouts-metrics)"
}
await_argo-rollouts() { await argo-rollouts 30 in_network curl -fs "http://127.0.0.1:$(port argo-rollouts)/healthz"; }

require_server_ports() { # of all servers that do not run yet, before any is started
  local server name
  for server in "${servers[@]}"; do
    is_running "$server" && continue
    for name in $(ports_of "$server"); do require_port "$name"; done
  done
}

start_if_missing() { # server
  is_running "$1" || "start_$1"
}

build_in_background() { # tool; what people use beside the servers, but no server needs
  [[ -z $(missing_tools "$1") ]] || is_running "build-$1" || {
    launch "build-$1" nice "$root/dev/lib/build-tool" "$1"
    say "$1 is being built in the background (log: $log_dir/build-$1.log); dev/down stops it"
  }
}

apply_cluster_basics() { # what the nodes need of the API server
  if [[ $nodes == real ]]; then
    apply_real_cluster
  else
    sed "s/@POD_NET@/$pod_net/g" "$root/dev/conf/cluster.yaml" | kube apply -f - >/dev/null ||
      die "could not create the simulated nodes (log of the server: $log_dir/kube-apiserver.log)"
  fi
}

# Temporal starts beside the others; what talks to the API server starts once that answers.
start_servers() {
  local server
  if [[ $nodes == real ]]; then
    start_if_missing network
    use_network
  fi
  start_if_missing temporal
  start_if_missing etcd
  await_etcd
  start_if_missing kube-apiserver
  await_kube-apiserver
  apply_cluster_basics
  for server in "${servers[@]}"; do start_if_missing "$server"; done
  for server in "${servers[@]}"; do "await_$server"; done
  await kube-controller-manager 60 kube get serviceaccount default
}
