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
