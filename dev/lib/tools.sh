# shellcheck shell=bash
# The servers' binaries: built once by Go from dev/tools/<tool>/go.mod into the user's cache.

server_tools=(temporal etcd kwok kubernetes)
kubernetes_tools=(kubernetes kubernetes-1.30 kubernetes-1.37) # the default version; the oldest and the newest that the engine is tested with
temporal_tools=(temporal temporal-1.28)                       # Temporal's dev server: the default version, and the oldest server
temporal_servers=(temporal-server temporal-server-1.32)       # its server for clusters: the default version, and the newest
etcd_tools=(etcd-3.6 etcd-3.7) # for containers of these images, each with etcdctl and etcdutl; built by dev/programs
node_tools=(kubelet coredns local-path-provisioner helm)
tools=("${server_tools[@]}" tctl)
tool_cache=${XDG_CACHE_HOME:-$HOME/.cache}/middleware-engine

declare -A tool_module=(
  [etcd]=go.etcd.io/etcd/server/v3 [kubernetes]=k8s.io/kubernetes [kwok]=sigs.k8s.io/kwok
  [temporal]=github.com/temporalio/cli [tctl]=github.com/temporalio/tctl
  [kubelet]=k8s.io/kubernetes [coredns]=github.com/coredns/coredns
  [local-path-provisioner]=github.com/rancher/local-path-provisioner [helm]=helm.sh/helm/v3
  [kubernetes-1.30]=k8s.io/kubernetes [kubernetes-1.37]=k8s.io/kubernetes
  [temporal-1.28]=go.temporal.io/server [temporal-server-1.32]=go.temporal.io/server
  [temporal-server]=go.temporal.io/server [versitygw]=github.com/versity/versitygw
  [prometheus]=github.com/prometheus/prometheus [kube-score]=github.com/zegl/kube-score
  [argo-rollouts]=github.com/argoproj/argo-rollouts [etcd-3.6]=go.etcd.io/etcd/server/v3 [etcd-3.7]=go.etcd.io/etcd/server/v3
)
declare -A tool_binaries=(
  [etcd]='etcd etcdctl' [kubernetes]='kube-apiserver kube-controller-manager kube-scheduler kubectl' [kwok]=kwok
  [temporal]=temporal [tctl]=tctl
  [kubelet]='kubelet kube-proxy' [coredns]=coredns [local-path-provisioner]=local-path-provisioner [helm]=helm
  [temporal-server]='temporal-server temporal-sql-tool temporal-ui-server' [versitygw]=versitygw
  [prometheus]=prometheus [kube-score]=kube-score [argo-rollouts]=rollouts-controller
  [etcd-3.6]='etcd etcdctl etcdutl' [etcd-3.7]='etcd etcdctl etcdutl'
)
tool_binaries[kubernetes-1.30]=${tool_binaries[kubernetes]}
tool_binaries[kubernetes-1.37]=${tool_binaries[kubernetes]}
tool_binaries[temporal-1.28]=temporal
tool_binaries[temporal-server-1.32]=${tool_binaries[temporal-server]}
declare -A binary_package=( # of those that are not named like their package
  [temporal-server]=go.temporal.io/server/cmd/server [temporal-sql-tool]=go.temporal.io/server/cmd/tools/sql
  [temporal-ui-server]=github.com/temporalio/ui-server/v2/cmd/server
)

declare -A tool_tags=([prometheus]='remove_all_sd,enable_kubernetes_sd') # of its parts, those that are needed
declare -A tool_files=([argo-rollouts]=manifests/crds)                 # a folder of its module that is kept beside the binary

declare -A tool_minutes=([temporal]=3 [etcd]=1 [kwok]=1 [kubernetes]=5 [tctl]=2 [kubelet]=3 [coredns]=3
  [kubernetes-1.30]=5 [kubernetes-1.37]=5 [local-path-provisioner]=2 [helm]=2 [temporal-server]=3 [versitygw]=2
  [prometheus]=3 [temporal-1.28]=3 [temporal-server-1.32]=5 [kube-score]=1 [argo-rollouts]=6 [etcd-3.6]=1 [etcd-3.7]=1) # to build it on 2 cores

pinned_version() { # tool, module of its go.mod
  awk -v module="$2" '$1 == module && $2 ~ /^v/ {print $2; exit}' "$root/dev/tools/$1/go.mod"
}
tool_version() { pinned_version "$1" "${tool_module[$1]}"; }
tool_dir() { echo "$tool_cache/$1-$(tool_version "$1")"; }

kubernetes_tool() { # of the instance, if there is one
  [[ ${kubernetes-default} == default ]] && echo kubernetes || echo "kubernetes-${kubernetes-}"
}

require_kubernetes_version() { # version, usage
  [[ $1 == default ]] || is_one_of "kubernetes-$1" "${kubernetes_tools[@]}" ||
    die "--kubernetes is $(printf '%s, ' "${kubernetes_tools[@]:1}" | sed 's/kubernetes-//g; s/, $//; s/, / or /'), not '$1': $2"
}

temporal_of() { # tools, the default one first; the one of the instance, if there is one
  local wanted=${temporal_version-}
  [[ -n $wanted || -z ${instance_dir-} ]] || wanted=$(cat "$instance_dir/temporal-version" 2>/dev/null || true)
  is_one_of "$1-$wanted" "$@" && echo "$1-$wanted" || echo "$1"
}
temporal_tool() { temporal_of "${temporal_tools[@]}"; }
temporal_server() { temporal_of "${temporal_servers[@]}"; }

in_wanted_versions() { # tools...; those of the default versions replaced
  printf '%s\n' "$@" | sed "s/^kubernetes$/$(kubernetes_tool)/; s/^temporal$/$(temporal_tool)/"
}

require_temporal_version() { # version, store, usage
  case $1 in
    default) ;;
    1.28) [[ $2 == embedded ]] || die "Temporal 1.28 is for the embedded store: leave out --temporal $2" ;;
    1.32) [[ $2 == postgres ]] || die "Temporal 1.32 is for PostgreSQL: add --temporal postgres" ;;
    *) die "--temporal-version is 1.28 or 1.32, not '$1': $3" ;;
  esac
}

tools_path() { # the folders of the tools in the cache, to be put before PATH
  local tool dir path=
  for tool in "${!tool_module[@]}"; do
    ! is_one_of "$tool" "${kubernetes_tools[@]}" || [[ $tool == "$(kubernetes_tool)" ]] || continue
    ! is_one_of "$tool" "${temporal_tools[@]}" || [[ $tool == "$(temporal_tool)" ]] || continue
    ! is_one_of "$tool" "${temporal_servers[@]}" || [[ $tool == "$(temporal_server)" ]] || continue
    ! is_one_of "$tool" "${etcd_tools[@]}" || continue
    dir=$(tool_dir "$tool")
    [[ ! -d $dir ]] || path+=$dir:
  done
  [[ ! -d $tool_cache/redis ]] || path+=$tool_cache/redis:
  echo "${path%:}"
}

etcd_programs() { # of images, as the simulator reads them; built or not
  local tool version name
  for tool in "${etcd_tools[@]}"; do
    version=$(tool_version "$tool")
    for name in "middleware-engine/etcd:${version#v}" "etcd:$version"; do
      printf '%s=%s,' "$name" "$(tool_dir "$tool")"
    done
  done
}

own_programs=$root/.local/programs # of images that dev/programs was told, a line IMAGE:TAG=FOLDER for each

remember_programs() { # IMAGE:TAG=FOLDER
  local image=${1%%=*} folder=${1#*=}
  [[ $1 =~ ^[a-z0-9./_-]+:[A-Za-z0-9._-]+=[^,]+$ ]] || die "'$1' is not IMAGE:TAG=FOLDER, as nats:2.12=/opt/nats-2.12 with an image's name without its registry"
  [[ -d $folder ]] || die "$folder is not a folder: put the programs of $image there first"
  [[ $(realpath "$folder") != /tmp/* ]] || die "$folder is below /tmp, and each container has a /tmp of its own: put the programs of $image elsewhere"
  [[ ,$(host_programs)$(etcd_programs) != *",$image="* ]] || die "$image has programs of its own: give yours another tag"
  mkdir -p "$root/.local"
  { sed "\\|^$image=|d" "$own_programs" 2>/dev/null || true; echo "$image=$(realpath "$folder")"; } >"$own_programs.new"
  mv "$own_programs.new" "$own_programs"
  say "$image runs the programs of $(realpath "$folder")"
}

image_programs() { # of all images, as the simulator reads them
  host_programs
  etcd_programs
  paste -sd, "$own_programs" 2>/dev/null || true
}

use_tools() {
  local path
  path=$(tools_path)
  PATH=${path:+$path:}$PATH
}

is_on_path() { # all binaries of the tool, in exactly the pinned version
  local binary version flags=(--version)
  version=$(tool_version "$1")
  [[ -z ${tool_files[$1]-} ]] && ! is_one_of "$1" "${etcd_tools[@]}" || return 1
  for binary in ${tool_binaries[$1]}; do
    case $binary in kubectl) flags=(version --client) ;; etcdctl | helm) flags=(version) ;; coredns) flags=(-version) ;; *) flags=(--version) ;; esac
    command -v "$binary" >/dev/null || return 1
    "$binary" "${flags[@]}" 2>/dev/null | grep -qwF "${version#v}" || return 1
  done
}

missing_tools() { # tools...
  local tool
  for tool; do
    [[ -d $(tool_dir "$tool") ]] || is_on_path "$tool" || echo "$tool"
  done
}

require_go() { # tools...; every go.mod names the Go version it needs
  local need have tool
  need=$(for tool; do awk '$1 == "go" {print $2}' "$root/dev/tools/$tool/go.mod"; done | sort -V | tail -1)
  command -v go >/dev/null ||
    die "Go $need or newer is needed, once, to build the local servers: install it (https://go.dev/dl) and try again"
  have=$(cd / && GOTOOLCHAIN=local go env GOVERSION)
  printf 'go%s\n%s\n' "$need" "$have" | sort -V -C ||
    die "Go $need or newer is needed, once, to build the local servers, but $(command -v go) is $have: install a newer one"
}

link_flags() { # tool
  local version link='-s -w' package
  version=$(tool_version "$1")
  case $1 in
    kubernetes* | kubelet)
      for package in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
        link+=" -X $package.gitVersion=$version -X $package.gitTreeState=clean"
        link+=" -X $package.gitMajor=$(cut -d. -f1 <<<"${version#v}") -X $package.gitMinor=$(cut -d. -f2 <<<"$version")"
      done
      ;;
    kwok) link+=" -X sigs.k8s.io/kwok/pkg/consts.Version=$version" ;;
    helm) # renders as for the version of Kubernetes of its client
      link+=" -X helm.sh/helm/v3/internal/version.version=$version -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMajor=1"
      link+=" -X helm.sh/helm/v3/pkg/chartutil.k8sVersionMinor=$(sed -n 's/.*k8s.io\/client-go v0\.\([0-9]*\)\..*/\1/p' "$root/dev/tools/helm/go.mod")"
      ;;
    temporal | temporal-1.*)
      version=$(pinned_version "$1" "${tool_module[temporal]}")
      link+=" -X github.com/temporalio/cli/temporalcli.Version=${version#v}"
      ;;
    argo-rollouts) link+=" -X github.com/argoproj/argo-rollouts/utils/version.version=${version#v}" ;;
    versitygw) link+=" -X main.Version=${version#v}" ;;
  esac
  echo "$link"
}

compile_tool() { # tool, folder
  cd "$root/dev/tools/$1" || return
  export GOFLAGS='-mod=readonly -buildvcs=false' GOTOOLCHAIN=local GOWORK=off CGO_ENABLED=0
  local binary packages=tool
  [[ ! -f main.go ]] || packages=.
  for binary in ${tool_binaries[$1]}; do
    [[ -n ${binary_package[$binary]-} ]] || continue
    packages=''
    nice go build -trimpath -ldflags="$(link_flags "$1")" -o "$2/$binary" "${binary_package[$binary]}" || return
  done
  [[ -z $packages ]] || nice go build -trimpath -tags="${tool_tags[$1]-}" -ldflags="$(link_flags "$1")" -o "$2/" "$packages" || return
  [[ ! -f $2/server ]] || mv "$2/server" "$2/etcd"
  [[ -z ${tool_files[$1]-} ]] || cp -r --no-preserve=mode "$(go list -m -f '{{.Dir}}' "${tool_module[$1]}")/${tool_files[$1]}" "$2/"
}

minutes_of() { # tools...; what they take together
  local tool sum=0
  for tool; do sum=$((sum + tool_minutes[$tool])); done
  echo $sum
}

show_progress() { # text, minutes expected; until killed: each second on a terminal, otherwise each minute
  local start=$SECONDS pause=60 form='%s %d of about %d min\n'
  [[ ! -t 1 ]] || pause=1 form='\r%s %d of about %d min '
  trap 'kill $! 2>/dev/null; exit' TERM
  while :; do
    sleep $pause &
    wait $!
    # shellcheck disable=SC2059
    printf "$form" "$1" $(((SECONDS - start) / 60)) "$2"
  done
}

build_tool() { # tool, position, total; nothing half-built is ever seen under the final name
  local tool=$1 start=$SECONDS text log=$tool_cache/build-$1.log
  text="building $tool $(tool_version "$tool") ($2 of $3) …"
  building=$(mktemp -d "$tool_cache/.building-$tool.XXXXXX")
  [[ -t 1 ]] || say "$text 0 of about ${tool_minutes[$tool]} min"
  show_progress "$text" "${tool_minutes[$tool]}" &
  ticker=$!
  if ! (compile_tool "$tool" "$building") >"$log" 2>&1; then
    stop_progress
    die "could not build $tool $(tool_version "$tool"): $(grep -v '^go: downloading' "$log" | tail -1) (log: $log)"
  fi
  stop_progress
  chmod 755 "$building"
  mv -T "$building" "$(tool_dir "$tool")"
  building=''
  rm -f "$log"
  [[ ! -t 1 ]] || printf '\r'
  printf '%s done in %d s      \n' "$text" $((SECONDS - start))
}

stop_progress() {
  [[ -z ${ticker-} ]] || { kill "$ticker" 2>/dev/null && wait "$ticker" 2>/dev/null; } || true
  ticker=''
}

drop_unfinished_build() {
  stop_progress
  [[ -z ${building-} ]] || rm -rf "$building"
}

lock_cache() { # file, what another may be doing; until unlock_cache
  mkdir -p "$tool_cache"
  exec 8>"$tool_cache/$1"
  flock -n 8 || { say "waiting for $2 to end …" && flock 8; }
}
unlock_cache() { exec 8>&-; }

build_missing_tools() { # tools...
  local missing=() tool n=0
  mapfile -t missing < <(missing_tools "$@")
  ((${#missing[@]})) || return 0
  require_go "${missing[@]}"
  say "building once into $tool_cache: ${missing[*]}" \
    "(about $(minutes_of "${missing[@]}") minutes on 2 cores from empty Go caches)"
  for tool in "${missing[@]}"; do
    n=$((n + 1))
    build_tool "$tool" "$n" "${#missing[@]}"
  done
}

ensure_tools() { # tools...; without any, all of them
  (($#)) || set -- "${tools[@]}"
  if [[ -n $(missing_tools "$@") ]]; then
    lock_cache .lock 'another build of the local servers'
    rm -rf "$tool_cache"/.building-*
    build_missing_tools "$@"
    unlock_cache
  fi
  use_tools
}
