# shellcheck shell=bash
# Which Maven modules a change touches: those with changed files, and those that depend on them.

all_modules() { sed -n 's:.*<module>\(.*\)</module>.*:\1:p' "$root/pom.xml"; }

# The branch that this one left, else the last commit: what came since then is the change.
change_base() {
  local branch base
  for branch in origin/HEAD main origin/main; do
    base=$(git -C "$root" merge-base HEAD "$branch" 2>/dev/null) && break
  done
  echo "${base:-HEAD}"
}

changed_files() { # since that base, committed or not, also new files
  git -C "$root" diff --name-only "$(change_base)"
  git -C "$root" ls-files --others --exclude-standard
}

modules_of() { # reads files; prints the modules whose tests read them
  local file
  while read -r file; do
    case $file in
      pom.xml | .mvn/*) all_modules ;;
      k8s/*) echo api ;;
      plugins/*) printf '%s\n' api render planning worker ;;
      docs/* | *.md) printf '%s\n' api process render worker ;;
      */*) all_modules | grep -x "${file%%/*}" ;;
    esac || true
  done | sort -u
}

needs() { # module, another; whether its pom names that one
  grep -A1 '<groupId>io.middleware.engine</groupId>' "$root/$1/pom.xml" | grep -q "<artifactId>$2</artifactId>"
}

with_dependents() { # modules...; prints them and all that depend on them, in the order of the build
  local picked=" $* " module other grown=yes
  while [[ -n $grown ]]; do
    grown=
    for module in $(all_modules); do
      [[ $picked != *" $module "* ]] || continue
      for other in $picked; do
        if needs "$module" "$other"; then
          picked+="$module " grown=yes
          break
        fi
      done
    done
  done
  for module in $(all_modules); do [[ $picked != *" $module "* ]] || echo "$module"; done
}
