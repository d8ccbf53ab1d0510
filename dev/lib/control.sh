# shellcheck shell=bash
# Stop and start single processes of an instance, for people and for tests.

require_process_name() { # name
  is_one_of "$1" "${servers[@]}" "${on_demand[@]}" "${engine_processes[@]}" ||
    die "there is no process '$1': use one of ${servers[*]} ${on_demand[*]} ${engine_processes[*]}"
}

# Takes `PROCESS` and the allowed flag out of `args`; sets `process` and `signal`.
parse_process() { # usage, arguments...
  local usage=$1 arg
  shift
  process='' signal=TERM
  for arg; do
    case $arg in
      --kill) signal=KILL ;;
      -*) die "unknown argument '$arg': $usage" ;;
      *) process=$arg ;;
    esac
  done
  [[ -n $process ]] || die "which process? $usage"
  require_process_name "$process"
}

start_one() { # process; waits until it is ready; what does not come up is stopped again
  trap 'code=$?; ((code == 0)) || undo_start; exit $code' EXIT
  if is_one_of "$1" "${servers[@]}" "${on_demand[@]}"; then
    local name
    for name in $(ports_of "$1"); do require_port "$name"; done
    "start_$1"
    "await_$1"
  else
    use_jdk
    start_engine_process "$1"
    await_ready "$1"
  fi
}

# The supervisor starts an engine process again by itself: the same jars, the same settings.
renew_engine_process() { # process, signal
  local old
  old=$(pid_of "$1")
  [[ -n $old ]] || die "$1 is not running at the moment (its supervisor starts it again): try again in a second"
  end_pid "$old" "$1" "$2"
  await "$1.supervisor" 30 is_renewed "$1" "$old"
  await_ready "$1" again
}
is_renewed() { [[ $(pid_of "$1") =~ ^[0-9]+$ && $(pid_of "$1") != "$2" ]]; }

require_instance() {
  [[ -d $pki ]] || die "the instance '$instance' does not run: start it with dev/up --instance $instance"
}
