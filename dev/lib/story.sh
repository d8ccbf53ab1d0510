# shellcheck shell=bash
# How dev/demo tells what happens: the App's tasks and pods, followed by watches until the change has ended.

chapter_number=0
chapter() {
  chapter_number=$((chapter_number + 1))
  printf '\n== %d. %s\n' $chapter_number "$1"
}

# Lines of fields with | between: task|id|status|description, app|generation|outcome|message|ready, pod|name|state|image
task_lines='{{range .status.tasks}}task|{{.id}}|{{.status}}|{{.description}}{{"\n"}}{{end}}'
end_line='{{with .status.change}}{{if .completedAt}}app|{{.generation}}|{{.outcome}}|{{with .message}}{{.}}{{end}}{{"\n"}}{{end}}{{end}}'
app_template="{{if .status}}$task_lines$end_line{{end}}"
pod_template='pod|{{.metadata.name}}|{{if .metadata.deletionTimestamp}}stops{{else}}{{range .status.conditions}}{{if eq .type "Ready"}}{{.status}}{{end}}{{end}}{{end}}|{{(index .spec.containers 0).image}}{{"\n"}}'

followers=()
follow() { # kind, template, further arguments of kubectl get...
  local kind=$1 template=$2
  shift 2
  kubectl --kubeconfig "$admin_kubeconfig" -n shop get "$kind" "$@" --watch -o go-template="$template" 2>/dev/null &
  followers+=($!)
}

stop_following() {
  ((${#followers[@]} == 0)) || kill "${followers[@]}" 2>/dev/null || true
  followers=()
}

declare -A seen # the last state shown of each task and pod
tell() { # time, what, name, state, text; only what is new
  local state=${4:-starts} before=${seen[$2/$3]-first}
  [[ $before != "$state" ]] || return 0
  seen[$2/$3]=$state
  case $2/$state/$before in
    pod/True/first) return ;; # was there before
    pod/True/*) printf '%4d s      pod  %-30s ready, %s\n' "$1" "$3" "${5##*/}" ;;
    pod/stops/*) printf '%4d s      pod  %-30s stops\n' "$1" "$3" ;;
    pod/*) return ;;
    task/*) printf '%4d s  task %-32s %-12s %s\n' "$1" "$3" "$4" "$5" ;;
  esac
}

tell_lines() { # generation, seconds at the start; returns when the change of that generation has ended
  local what name state text
  while IFS='|' read -r -t 300 what name state text; do # five minutes without any news are too many
    if [[ $what == task && $name != "$1"-* ]]; then
      continue # of the change before
    elif [[ $what != app ]]; then
      tell $((SECONDS - $2)) "$what" "$name" "$state" "$text"
    elif ((name >= $1)); then
      printf '%4d s  change %s: %s %s\n' $((SECONDS - $2)) "$name" "$state" "$text"
      [[ $state == Succeeded ]]
      return
    fi
  done
  return 1
}

# Follows the change of the App's present generation to its end, then waits for the App to be Ready.
follow_change() {
  local generation lines code=0
  generation=$(kube -n shop get app cache -o jsonpath='{.metadata.generation}')
  seen=()
  exec {lines}< <(
    trap stop_following TERM EXIT
    follow pods "$pod_template" -l middleware.io/app=cache
    follow app/cache "$app_template"
    wait
  )
  followers=($!)
  tell_lines "$generation" $SECONDS <&"$lines" || code=1
  stop_following
  exec {lines}<&-
  ((code == 0)) || die "the change did not succeed: kubectl -n shop describe app cache, and dev/logs worker"
  kube -n shop wait --for=condition=Ready app/cache --timeout=60s
}

closing_words() {
  local option=
  [[ $instance == demo ]] || option=" --instance $instance"
  cat <<TEXT
Web UI      http://$(address temporal-ui)/namespaces/$temporal_namespace/workflows/app%2Fshop%2Fcache
A shell     eval "\$(dev/env$option)"
            kubectl -n shop get apps,components,groups,pods
            kubectl -n shop describe app cache
            kubectl explain app.spec.change
            kubectl -n shop edit app cache            # for example other values, or one more replica
            temporal workflow list --query "MiddlewareNamespace = 'shop' AND MiddlewareApp = 'cache'"
            temporal workflow query -w app/shop/cache --type change
            tctl workflow list
Logs        dev/logs$option worker -f
Stop        dev/down$option
TEXT
}
