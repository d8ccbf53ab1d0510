# shellcheck shell=bash
# What the engine needs inside the servers: CRDs, rights, service accounts; Temporal's search attributes.

apply_engine_objects() {
  if [[ ! -f $root/k8s/base/crds/apps.middleware.io.yaml ]]; then
    say "k8s/base/crds has no CRDs yet (mvn package makes them): CRDs and rights are not installed"
    return
  fi
  kube apply --server-side --force-conflicts -k "$root/k8s/overlays/local" >"$log_dir/apply.log" 2>&1 ||
    die "could not install k8s/overlays/local: $(tail -1 "$log_dir/apply.log")"
  kube wait --for=condition=Established --timeout=30s \
    crd/{apps,components,groups,plugins}.middleware.io >/dev/null
}

prepare_temporal() {
  "$root/temporal-config/bootstrap" --address "$(address temporal)" --namespace "$temporal_namespace" \
    >"$log_dir/bootstrap.log" 2>&1 || die "could not prepare Temporal: $(tail -1 "$log_dir/bootstrap.log")"
}
