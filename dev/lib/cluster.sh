# shellcheck shell=bash
# What the engine needs inside the servers: CRDs, rights, service accounts; Temporal's search attributes.

apply_engine_objects() { # false, with the last message in a log, when the API server refuses them
  (kube apply --server-side --force-conflicts -k "$root/k8s/overlays/local") >"$log_dir/apply.log" 2>&1 &&
    (kube wait --for=condition=Established --timeout=30s \
      crd/{apps,components,groups,plugins}.middleware.io) >>"$log_dir/apply.log" 2>&1 &&
    await_kinds_served
}
await_kinds_served() { # for a moment a new kind answers "storage is (re)initializing"
  local try
  for ((try = 0; try < 50; try++)); do
    kube get apps,components,groups,plugins --all-namespaces >>"$log_dir/apply.log" 2>&1 && return
    sleep 0.1
  done
  return 1
}
refusal() { echo "k8s/overlays/local could not be installed: $(tail -1 "$log_dir/apply.log")"; }

prepare_temporal() {
  "$root/temporal-config/bootstrap" --address "$(address temporal)" --namespace "$temporal_namespace" \
    >"$log_dir/bootstrap.log" 2>&1 || die "could not prepare Temporal: $(tail -1 "$log_dir/bootstrap.log")"
}

# A cluster of real nodes has the engine installed into it, by the chart, from images that are loaded into each node.

ensure_images() {
  local module
  for module in agent watcher worker; do
    if [[ ! -f $root/$module/target/image.tar || -n $(newer_sources "$root/$module/target/image.tar") ]]; then
      "$root/dev/images"
      return
    fi
  done
}


install_engine() { # or replace it, where an image is newer than what runs
  local module
  for module in agent watcher worker; do load_image "$root/$module/target/image.tar"; done
  # the Plugin's name of the agent, beside that in the archive, which containerd must know too
  load_image "$root/agent/target/image.tar" "$(awk '/images:.*agent:/ {print $NF; exit}' "$root/plugins/redis/plugin.yaml" | tr -d '"}')"
  kube create namespace middleware-system --dry-run=client -o yaml | kube apply -f - >/dev/null
  kube label --overwrite namespace middleware-system pod-security.kubernetes.io/enforce=restricted >/dev/null
  helm --kubeconfig "$admin_kubeconfig" upgrade --install middleware-engine "$root/k8s/chart" --namespace middleware-system \
    --values "$root/dev/conf/real-values.yaml" --set-string "watcher.annotations.image=$(<"$root/watcher/target/image.digest")" \
    --set-string "worker.annotations.image=$(<"$root/worker/target/image.digest")" --wait --timeout 3m >"$log_dir/helm.log" 2>&1 ||
    die "the chart could not be installed: $(tail -1 "$log_dir/helm.log"); see kubectl -n middleware-system get pods,events"
}
