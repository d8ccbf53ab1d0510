# shellcheck shell=bash
# The engine's own processes: built by Maven, each run under a supervisor with its own service account.

declare -A main_class=(
  [watcher]=io.middleware.engine.watcher.WatcherMain [worker]=io.middleware.engine.worker.WorkerMain
  [simulator]=io.middleware.engine.simulator.SimulatorMain
)
declare -A heap=([watcher]=192m [worker]=768m [simulator]=256m)
# These processes do little, so the second compiler costs more CPU and memory than it saves. The first orderly stop after a
# build writes an archive of the classes (3 s), which halves the time of each later start.
# Without memory a process ends and is started again, instead of going on with threads that have died.
java_options=(-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED -XX:+AutoCreateSharedArchive -Xlog:disable)
build_stamp=$root/target/built # touched when a build has ended; mvn clean takes it away

archive_option() { echo "-XX:SharedArchiveFile=$root/target/$1.classes"; } # program; used while its jars are the same

is_build_stale() {
  local process
  [[ -f $build_stamp ]] || return 0
  for process in "${engine_processes[@]}"; do
    [[ -d $root/$process/target/app ]] || return 0
  done
  [[ -n $(newer_sources "$build_stamp") ]]
}
newer_sources() { # file; a source that is newer than it, if there is one
  find "$root" \( -path "$root/.local" -o -path "$root/.git" -o -name target \) -prune -o \
    \( -name pom.xml -o -path '*/src/main/*' \) -newer "$1" -print -quit
}

begin_build() { # sources that change while it builds are newer than this
  mkdir -p "$root/target"
  touch "$build_stamp.new"
}
end_build() { mv "$build_stamp.new" "$build_stamp"; }

build_engine() { # one command at a time: all instances share target/
  mkdir -p "$root/target"
  (
    flock 9
    build_stale_engine
  ) 9>"$root/target/build.lock"
}
build_stale_engine() {
  local start=$SECONDS modules
  is_build_stale || return 0
  modules=$(IFS=, && echo "${engine_processes[*]}")
  say "building the engine …"
  begin_build
  (cd "$root" && nice mvn -q -B -Dquick -DskipTests -pl "$modules" -am package) ||
    die "the engine does not build: see the messages above"
  end_build
  say "building the engine … done in $((SECONDS - start)) s"
}

# The instance runs from its own copy, so that a later build does not pull the jars from under it.
copy_engine() { # process
  rm -rf "$instance_dir/app/$1"
  mkdir -p "$instance_dir/app/$1"
  cp -p --reflink=auto "$root/$1/target/app/"*.jar "$instance_dir/app/$1/" 2>/dev/null ||
    die "$1/target/app has no jars: run mvn -Dquick -DskipTests package and look at its messages"
}

is_outdated() { # process; runs an older build than the one in target/
  is_running "$1" && [[ $build_stamp -nt $instance_dir/app/$1 ]]
}

write_engine_config() {
  sed -e "s/@TEMPORAL_ADDRESS@/$(address temporal)/" -e "s/@TEMPORAL_NAMESPACE@/$temporal_namespace/" \
    -e "s/@WATCHER_ADDRESS@/$(address watcher)/" -e "s/@WORKER_ADDRESS@/$(address worker)/" \
    -e "s/@CHECK_SERVER@/$(address check-server)/" \
    "$root/dev/conf/engine.yaml" >"$instance_dir/engine.yaml"
}

start_engine_process() { # process
  local process=$1 unsafe
  mapfile -t unsafe < <(unsafe_option "$JAVA_HOME")
  [[ $process == simulator ]] || require_port "$process"
  write_engine_config
  token_kubeconfig "$process"
  copy_engine "$process"
  : >"$log_dir/$process.supervisor.log"
  launch "$process.supervisor" env KUBECONFIG="$instance_dir/$process.kubeconfig" \
    HOST_REDIS_SERVER="$(redis_server)" HOST_PROGRAMS="$(image_programs)" HOST_FOLDER="$instance_dir/pods" \
    HOST_ROOTS="$(has_roots && echo true || echo false)" \
    "$root/dev/lib/supervise" "$pid_dir/$process" "$log_dir/$process.log" \
    "$JAVA_HOME/bin/java" "-Xmx${heap[$process]}" "${java_options[@]}" "${unsafe[@]}" "$(archive_option "$process")" \
    -cp "$instance_dir/app/$process/*" "${main_class[$process]}" --config "$instance_dir/engine.yaml"
}

is_ready() { # process; the simulator has no address of its own: it is ready when it runs
  if [[ $1 == simulator ]]; then is_running simulator; else curl -fs "http://$(address "$1")/readyz" >/dev/null 2>&1; fi
}
has_ended() { grep -q 'ended with code' "$log_dir/$1.supervisor.log" 2>/dev/null; }

await_ready() { # process, [again]; without the second word it must not have ended even once
  local process=$1 again=${2-} deadline=$((SECONDS + 120))
  [[ $process != simulator ]] || sleep 0.5
  until is_ready "$process"; do
    [[ -n $again ]] || ! has_ended "$process" ||
      die "$process ended while starting: $(last_log_line "$process") (log: $log_dir/$process.log)"
    ((SECONDS < deadline)) ||
      die "$process was not ready after 120 s: $(last_log_line "$process") (log: $log_dir/$process.log)"
    sleep 0.1
  done
}

start_engine() {
  local process
  for process in "${engine_processes[@]}"; do
    ! is_outdated "$process" || { say "$process: a newer build, starting it again" && stop_process "$process"; }
    is_running "$process.supervisor" || start_engine_process "$process"
  done
  for process in "${engine_processes[@]}"; do
    if is_one_of "$process.supervisor" "${started[@]}"; then await_ready "$process"; else await_ready "$process" again; fi
  done
}

image_name() { # module; with its tag
  tar -xOf "$root/$1/target/image.tar" index.json | sed -n 's/.*"org.opencontainers.image.ref.name":"\([^"]*\)".*/\1/p'
}
