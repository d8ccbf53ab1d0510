# shellcheck shell=bash
# Processes of an instance: started in their own session, known by pid file, ended by pid.
# Each carries DEV_PROCESS_OF=<instance folder> in its environment, so a reused pid is never taken for ours.

belongs_here() { # pid
  grep -qzxF "DEV_PROCESS_OF=$instance_dir" "/proc/$1/environ" 2>/dev/null
}

# The pid of a running process of this instance, otherwise nothing. Engine processes: the Java process, or its supervisor.
pid_of() { # name
  local pid
  [[ -f $pid_dir/$1 ]] || return 0
  pid=$(<"$pid_dir/$1")
  [[ -n $pid ]] && belongs_here "$pid" || return 0
  echo "$pid"
}
is_running() { [[ -n $(pid_of "$1") ]]; }

network=() # before a command that runs in the network of the instance: nothing, or nsenter
use_network() { # the one of its process `network`, if it has one
  ! is_running network || network=(nsenter --net="/proc/$(pid_of network)/ns/net")
}
in_network() { "${network[@]}" "$@"; }

started=() # by this command, in order, for undo_start
launch() { # name, command...
  local name=$1
  shift
  mkdir -p "$log_dir" "$pid_dir"
  DEV_PROCESS_OF=$instance_dir setsid nohup "$@" >>"$log_dir/$name.log" 2>&1 </dev/null 9<&- &
  echo $! >"$pid_dir/$name"
  started+=("$name")
}

# Only one command at a time starts or stops the processes of an instance; the lock ends with the command.
hold_instance() {
  mkdir -p "$root/.local"
  exec 9>"$root/.local/.$instance.lock"
  flock -n 9 || { say "waiting for another dev/up or dev/down of the instance '$instance' to end …" && flock 9; }
}

last_log_line() { # name; the last line that it logged
  { grep -v '^[[:space:]]*$' "$log_dir/$1.log" 2>/dev/null || true; } | tail -1 | cut -c1-300
}

await() { # process, seconds, command...; until the command succeeds
  local name=$1 seconds=$2 pid deadline
  shift 2
  deadline=$((SECONDS + seconds))
  pid=$(<"$pid_dir/$name")
  until ("$@") >/dev/null 2>&1; do # in a shell of its own: an interrupt still finds our stderr
    kill -0 "$pid" 2>/dev/null ||
      die "$name ended while starting: $(last_log_line "$name") (log: $log_dir/$name.log)"
    ((SECONDS < deadline)) ||
      die "$name was not ready after $seconds s: $(last_log_line "$name") (log: $log_dir/$name.log)"
    sleep 0.1
  done
}

# Ended, if not yet collected by its parent: the last thread is gone, so its ports are free.
has_gone() { # pid
  [[ -d /proc/$1 ]] || return 0
  awk '/^State:/ {state = $2} /^Threads:/ {threads = $2} END {exit !(state == "Z" && threads <= 1)}' \
    "/proc/$1/status" 2>/dev/null
}

await_end() { # pid, seconds
  local i
  for ((i = 0; i < $2 * 20; i++)); do
    ! has_gone "$1" || return 0
    sleep 0.05
  done
  return 1
}

end_pid() { # pid, name, [signal]; asks, and insists after a while
  local patience=15
  [[ $2 != node-* ]] || set -- "$1" "$2" KILL # ends its namespaces, as a power cut does
  [[ $2 != postgres ]] || set -- "$1" "$2" "${3:-INT}" # TERM would wait for its clients to leave
  [[ $2 != kube-apiserver ]] || patience=3 # it would wait a minute for its watchers, and etcd has all it knows
  kill "-${3:-TERM}" "$1" 2>/dev/null || return 0
  await_end "$1" $patience && return 0
  [[ $2 == kube-apiserver ]] || warn "$2 (pid $1) did not end within $patience s: killing it"
  kill -KILL "$1" 2>/dev/null || return 0
  await_end "$1" 5 || die "$2 (pid $1) cannot be ended: end it by hand and try again"
}

stop_process() { # name, [signal]
  local name pid
  for name in "$1.supervisor" "$1"; do # the supervisor first: otherwise it would start the process again
    pid=$(pid_of "$name")
    [[ -z $pid ]] || end_pid "$pid" "$name" "${2-}"
    rm -f "$pid_dir/$name"
  done
  case $1 in
    node-*) drop_cgroups "middleware-$instance-$1" ;;
    network) ip link delete "${network_interface-}" 2>/dev/null || true ;; # the kernel would take a moment for it
  esac
}

drop_cgroups() { # name, the same in every hierarchy; the last of the node's processes end a little later than its first
  local try
  for ((try = 0; try < 50; try++)); do
    compgen -G "/sys/fs/cgroup/*/$1" >/dev/null || return 0
    find /sys/fs/cgroup/*/"$1" -depth -type d -exec rmdir {} + 2>/dev/null || true
    sleep 0.1
  done
  warn "some cgroups cannot be removed: $(compgen -G "/sys/fs/cgroup/*/$1" | paste -sd' ')"
}

# What the simulator has started for pods, and what that has forked: its command line, one of its variables or one of its mounts names
# the folder of the pod. Not by the pid files: Redis writes its own after it has begun, and removes it before it has ended. Nor by
# variables alone: where its path is long, Redis writes its title over them.
pod_pids() {
  local file
  {
    { grep -lzxF "DEV_PROCESS_OF=$instance_dir" /proc/[0-9]*/environ 2>/dev/null || true; } | while read -r file; do
      grep -lzF "$instance_dir/pods/run/" "${file%environ}"{cmdline,environ,mountinfo} 2>/dev/null || true
    done
    grep -lF "$instance_dir/pods/" /proc/[0-9]*/mountinfo 2>/dev/null || true
  } | sed 's:^/proc/\([0-9]*\)/.*:\1:' | sort -u
}

stop_pods() { # all at once, so that they end together; the simulator leaves them running when it ends
  local pid pids
  mapfile -t pids < <(pod_pids)
  ((${#pids[@]} == 0)) || kill "${pids[@]}" 2>/dev/null || true
  for pid in "${pids[@]}"; do end_pid "$pid" "a process of a pod"; done
}

undo_start() { # newest first
  local i
  ((${#started[@]})) || return 0
  warn "stopping what was started: ${started[*]}"
  for ((i = ${#started[@]} - 1; i >= 0; i--)); do stop_process "${started[i]%.supervisor}"; done
  started=()
}

listener_of() { # port; the pid that listens there on a loopback or wildcard address, if it can be known
  local inode link
  inode=$(awk -v port="$(printf ':%04X' "$1")" '$4 == "0A" && substr($2, length($2) - 4) == port {print $10; exit}' \
    /proc/net/tcp /proc/net/tcp6 2>/dev/null)
  [[ -n $inode ]] || return 0
  link=$(find /proc/[0-9]*/fd -lname "socket:\[$inode\]" -print -quit 2>/dev/null || true)
  cut -d/ -f3 <<<"$link"
}

is_port_taken() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

describe_holder() { # pid, may be empty
  local other
  [[ -n $1 ]] || { echo 'a process of another user' && return; }
  other=$(tr '\0' '\n' 2>/dev/null <"/proc/$1/environ" | sed -n 's/^DEV_PROCESS_OF=//p' || true)
  echo "$(<"/proc/$1/comm") (pid $1${other:+, of the instance in $other: stop that with its dev/down})"
}

require_port() { # name of the port
  local port
  [[ $nodes == simulated ]] || return 0 # in a network of their own no port is taken
  port=$(port "$1")
  is_port_taken "$port" || return 0
  die "port $port ($1) is taken by $(describe_holder "$(listener_of "$port")"): stop it and try again," \
    "or use another instance, for example --instance bench"
}
