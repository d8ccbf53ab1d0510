# shellcheck shell=bash
# Temporal: the dev server of its CLI with an embedded database, or the server for clusters on PostgreSQL, with its four services in one
# process and its Web UI in another.

dynamic_config=$root/temporal-config/dynamic-config

# Of the file as flags: the dev server takes no file.
dynamic_config_flags() {
  awk '
    /^[A-Za-z][A-Za-z.]*:$/ { key = substr($1, 1, length($1) - 1) }
    /^- value: / { sub(/^- value: /, ""); printf "--dynamic-config-value\n%s=%s\n", key, $0 }
  ' "$dynamic_config/local.yaml"
}

# The same file, with the keys of the other in place of its own.
merged_dynamic_config() { # file, file
  awk '
    FNR == NR { if (/^[A-Za-z]/) own[$1]; text = text $0 "\n"; next }
    /^[A-Za-z]/ { skip = ($1 in own) }
    !skip { print }
    END { printf "\n%s", text }
  ' "$2" "$1"
}

start_temporal() { "start_temporal_$temporal_store"; }
await_temporal() { await temporal 60 temporal operator cluster health --address "$(address temporal)"; }

start_temporal_embedded() {
  local flags host=$server_host
  [[ $nodes == simulated ]] || host=0.0.0.0 # its parts find each other at 127.0.0.1, and the network is the instance's own
  mapfile -t flags < <(dynamic_config_flags)
  mkdir -p "$data_dir"
  launch temporal "${network[@]}" temporal server start-dev --ip "$host" --ui-ip "$host" --port "$(port temporal)" \
    --ui-port "$(port temporal-ui)" --metrics-port "$(port temporal-metrics)" --log-level warn \
    --namespace "$temporal_namespace" --db-filename "$data_dir/temporal.db" \
    --sqlite-pragma journal_mode=wal --sqlite-pragma synchronous=1 "${flags[@]}"
}

start_temporal_postgres() {
  start_if_missing postgres
  await_postgres
  update_schema temporal temporal
  update_schema temporal_visibility visibility
  write_temporal_config
  launch temporal temporal-server --root "$instance_dir/temporal" --config . --env server --allow-no-auth start
}

update_schema() { # database, schema; creates the database if it is not there
  local log=$log_dir/temporal-schema.log
  if ! sql "$1" 'SELECT 1 FROM schema_version' >/dev/null 2>&1; then
    { sql_tool "$1" create-database && sql_tool "$1" setup-schema --version 0.0; } >>"$log" 2>&1 ||
      die "could not create Temporal's database $1: $(last_log_line temporal-schema) (log: $log)"
  fi
  sql_tool "$1" update-schema --schema-name "postgresql/v12/$2" >>"$log" 2>&1 ||
    die "could not update Temporal's database $1: $(last_log_line temporal-schema) (log: $log)"
}

sql_tool() { # database, arguments...
  SQL_PASSWORD=$(<"$instance_dir/postgres.password") temporal-sql-tool --plugin postgres12 --endpoint 127.0.0.1 \
    --port "$(port postgres)" --user temporal --database "$@"
}

write_temporal_config() {
  local name folder=$instance_dir/temporal expressions=(-e "s|@FOLDER@|$instance_dir/temporal|")
  for name in postgres temporal-ui "${temporal_ports[@]}"; do
    expressions+=(-e "s/@${name^^}@/$(port "$name")/")
  done
  mkdir -p "$folder"
  (umask 077 && sed "${expressions[@]}" -e "s/@PASSWORD@/$(<"$instance_dir/postgres.password")/" \
    "$root/dev/conf/temporal-server.yaml" >"$folder/server.yaml")
  sed "${expressions[@]}" "$root/dev/conf/temporal-ui.yaml" >"$folder/ui.yaml"
  merged_dynamic_config "$dynamic_config/local.yaml" "$dynamic_config/postgres.yaml" >"$folder/dynamic.yaml"
}

start_temporal-ui() {
  launch temporal-ui temporal-ui-server --root "$instance_dir/temporal" --config . --env ui start
}
await_temporal-ui() { await temporal-ui 60 curl -fs "http://$(address temporal-ui)/healthz"; }
