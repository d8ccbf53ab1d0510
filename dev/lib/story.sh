# shellcheck shell=bash
# How dev/demo shows what happens: the App's tasks and pods, followed by watches until the change has ended.

chapter_number=0
chapter() {
  chapter_number=$((chapter_number + 1))
  printf '\n== %d. %s\n' $chapter_number "$1"
}

run() { # arguments of kubectl; shown as a user would type them
  local shown="${*//"$root/"/}"
  printf '$ kubectl %s\n' "$shown"
  kube "$@"
}

show_edit() { # two files; the lines that differ, without comments
  { diff -U0 "$1" "$2" || (($? == 1)); } | sed -n -e '/^[-+] *#/d' -e '/^[-+][-+][-+]/d' -e 's/^\([-+]\) */  \1 /p'
}

# Lines of fields with | between: task|id|status|text, app|generation|outcome|message, pod|name|state|image, evicted|pod|name (role) evicted
task_text='{{if .error}}{{.error.reason}}: {{.error.message}}{{else}}{{.description}}{{end}}'
task_lines="{{range .status.tasks}}task|{{.id}}|{{.status}}|$task_text{{\"\\n\"}}{{end}}"
end_line='{{with .status.change}}{{if .completedAt}}app|{{.generation}}|{{.outcome}}|{{with .message}}{{.}}{{end}}{{"\n"}}{{end}}{{end}}'
app_template="{{if .status}}$task_lines$end_line{{end}}"
pod_state='{{range .status.conditions}}{{if eq .type "Ready"}}{{.status}}{{end}}{{end}}'
pod_template="pod|{{.metadata.name}}|$pod_state|{{(index .spec.containers 0).image}}{{\"\\n\"}}"
event_template='event|{{.metadata.name}}|{{.reason}}|{{.message}}{{"\n"}}'

followers=()
follow() { # kind, template, further arguments of kubectl get...; sed keeps the lines of several followers apart
  local kind=$1 template=$2
  shift 2
  kubectl --kubeconfig "$admin_kubeconfig" -n shop get "$kind" "$@" --watch -o go-template="$template" \
    > >(exec sed -u '' >&"$news") 2>/dev/null &
  followers+=($!)
}

stop_following() {
  ((${#followers[@]} == 0)) || kill "${followers[@]}" 2>/dev/null || true
  followers=()
}

open_news() { # a pipe without a name, from the followers to us
  local folder
  folder=$(mktemp -d)
  mkfifo "$folder/news"
  exec {news}<>"$folder/news"
  rm -r "$folder"
}

declare -A seen # the last state shown of each task and pod
show() { # time, what, name, state, text; only what is new
  local state=${4:-starts} before=${seen[$2/$3]-first}
  [[ $before != "$state" ]] || return 0
  seen[$2/$3]=$state
  case $2/$state/$before in
    pod/True/first) return ;; # was there before
    pod/True/*) printf '%4d s      pod %s ready, %s\n' "$1" "$3" "${5##*/}" ;;
    pod/*) return ;;
    event/*) printf '%4d s      %s\n' "$1" "${5%%,*}" ;; # "pod … (primary) evicted"
    task/*) printf '%4d s  task %-30s %-12s %s\n' "$1" "$3" "$4" "$5" ;;
  esac
}

show_lines() { # generation, seconds at the start; returns when the change of that generation has ended
  local what name state text
  while IFS='|' read -r -t 300 what name state text; do # five minutes without any change are too many
    if [[ $what == task && $name != "$1"-* ]]; then
      continue # of the change before
    elif [[ $what != app ]]; then
      show $((SECONDS - $2)) "$what" "$name" "$state" "$text"
    elif ((name >= $1)); then
      printf '%4d s  change %s: %s\n' $((SECONDS - $2)) "$name" "$state${text:+: $text}"
      [[ $state == Succeeded ]]
      return
    fi
  done
  return 1
}

# Applies the App and follows its change to the end, then waits for it to be Ready.
apply_and_follow() { # file; the followers come first, so that they miss nothing
  local generation code=0
  seen=()
  open_news
  follow pods "$pod_template" -l middleware.io/app=cache
  follow events "$event_template" --watch-only --field-selector reason=PodReplaced,involvedObject.name=cache
  follow apps "$app_template" --field-selector metadata.name=cache
  run apply -f "$1"
  generation=$(kube -n shop get app cache -o jsonpath='{.metadata.generation}')
  show_lines "$generation" $SECONDS <&"$news" || code=1
  stop_following
  exec {news}>&-
  ((code == 0)) || die "the change did not succeed; to see why: eval \"\$(dev/env$instance_option)\"," \
    "then kubectl -n shop describe app cache, and dev/logs worker"
  run -n shop wait --for=condition=Ready app/cache --timeout=60s
  run -n shop get apps,components,groups
}

follow_test() { # name of an IntegrationTest; shows how far it is, to its end
  local status last='' start=$SECONDS
  while :; do
    status=$(kube -n shop get integrationtest "$1" -o jsonpath='{.status.phase}|round {.status.progress}, {.status.message}' | sed 's/|round , /|/')
    if [[ $status != "$last" ]]; then
      printf '%4d s  %-8s %s\n' $((SECONDS - start)) "${status%%|*}" "${status#*|}"
      last=$status
    fi
    [[ ${status%%|*} != @(|Pending|Running) ]] && break
    ((SECONDS - start < 900)) || die "the test has not ended after 15 minutes: dev/logs$instance_option worker"
    sleep 0.5
  done
  run -n shop get integrationtests
  [[ ${status%%|*} == Passed ]]
}

closing_words() {
  cat <<TEXT
Web UI      http://$(address temporal-ui)/namespaces/$temporal_namespace/workflows/app%2Fshop%2Fcache
A shell     eval "\$(dev/env$instance_option)"
            kubectl -n shop get apps,components,groups,pods
            kubectl -n shop describe app cache
            kubectl -n shop events --for app/cache
            kubectl explain app.spec.change
            redis-cli -h \$(kubectl -n shop get pod cache-redis-nodes-shard-0-0 -o jsonpath={.status.podIP}) info replication
            kubectl -n shop edit app cache            # for example one more replica, or other resources
${backed_up:+            kubectl apply -f plugins/redis/app-restored.yaml    # a second App, with the data of the backup
}            kubectl -n shop delete app cache
            temporal workflow list --query "WorkflowId STARTS_WITH 'app/shop/cache'"
            temporal workflow query -w app/shop/cache --type change
            tctl workflow list
Logs        dev/logs$instance_option -f
Stop        dev/down$instance_option
TEXT
}
