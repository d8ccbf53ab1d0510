# shellcheck shell=bash
# The end-to-end tests: which classes run, in streams beside each other, each with JUnit's launcher on servers of its own.
#   test        first the classes that disturb nobody, side by side; then it shares what is left of the others
#   test-2      the classes that kill or freeze processes (@Disruptive), one at a time
#   test-real   RealNodesE2E, where the machine allows it and its turn has come

e2e_tests=$root/e2e/src/test/java/io/middleware/engine/e2e
e2e_reports=$root/e2e/target/e2e-reports
e2e_classes() { find "$e2e_tests" -name '*E2E.java' | LC_ALL=C sort; } # their files
e2e_file() { find "$e2e_tests" -name "$1.java"; } # class; nothing if there is no such one

turns=4 # what takes minutes, and what needs images, runs in every fourth run: see @InTurn

turn_of_commit() { echo $(($(git -C "$root" rev-list --count HEAD 2>/dev/null || echo 0) % turns)); }

# Whether a class runs now: in --long and when it is named, always; otherwise without @InTurn, or when its turn has come.
has_its_turn() { # class
  local turn
  [[ $mode == everything && -z ${LONG_TESTS-} ]] || return 0
  turn=$(sed -n 's/^@InTurn(\([0-9]*\))$/\1/p' "$(e2e_file "$1")")
  [[ -z $turn || $turn == "$(turn_of_commit)" ]]
}

in_turn() { # the classes with @InTurn, those of this run first
  local file class
  e2e_classes | xargs grep -l '^@InTurn' | while read -r file; do
    class=$(basename "$file" .java)
    if has_its_turn "$class"; then echo "runs $class"; else echo "waits $class"; fi
  done | sort
}

say_turns() {
  [[ $mode == everything && -z ${LONG_TESTS-} ]] || return 0
  say "turn $(($(turn_of_commit) + 1)) of $turns (the number of commits decides): $(in_turn | sed -n 's/^runs //p' | paste -sd' ')"
  say "not in this run, but in dev/test --long: $(in_turn | sed -n 's/^waits //p' | paste -sd' ')"
}

classes() { # `disruptive`, or `side-by-side`; of the classes to be run on simulated nodes
  local file class kind
  for file in $(e2e_classes); do
    class=$(basename "$file" .java)
    [[ $names == '*E2E' || " $names " == *" $class "* ]] && [[ $class != RealNodesE2E ]] && has_its_turn "$class" || continue
    kind=side-by-side
    ! grep -q '^@Disruptive' "$file" || kind=disruptive
    [[ $kind != "$1" ]] || echo "$class"
  done
}

build_e2e() { (cd "$root" && mvn -q -B -Dquick -DskipTests -pl e2e -am package); }

e2e_classpath() { # the classes of the tests and all that they need, as the build has left them
  echo "$root/e2e/target/test-classes:$(<"$root/e2e/target/test.classpath")"
}

class_options() { # classes by their simple names; prints an option for each
  local class file
  for class; do
    file=$(e2e_file "$class")
    file=${file#"$root"/e2e/src/test/java/}
    echo "--select-class=$(tr / . <<<"${file%.java}")"
  done
}

# Tests mostly wait: the second compiler would take its time from the servers.
launch_classes() { # instance, folder of the reports, classes...
  local instance=$1 folder=$2 unsafe selected
  shift 2
  eval "$("$root/dev/env" --instance "$instance")"
  mapfile -t selected < <(class_options "$@")
  mapfile -t unsafe < <(unsafe_option "$JAVA_HOME")
  "$JAVA_HOME/bin/java" "${unsafe[@]}" -Xmx768m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Dcheckout="$root" \
    -cp "$(e2e_classpath)" org.junit.platform.console.ConsoleLauncher execute --disable-banner --disable-ansi-colors --fail-if-no-tests \
    --details=testfeed --config junit.platform.output.capture.stdout=true --reports-dir "$e2e_reports/$folder" \
    "${selected[@]}" > >(sed -u "s/^\(JUnit Jupiter > \)\?/$instance: /") 2>&1
}

start_instance() { # name
  "$root/dev/up" --instance "$1" --kubernetes "$version" --temporal "$store" --temporal-version "$temporal_version"
}

# A head start, while unit tests load the machine. One that does not come up now is started again before its tests.
start_instances() {
  if ! start_instance test || ! start_instance test-2; then warn "an instance has not started beside the unit tests: it is started again"; fi
}

share_disruptive() { # instance; each class runs on the first instance that claims it
  CLAIMED_CLASSES=$claimed launch_classes "$1" "disruptive-$1" "${disruptive[@]}"
}

run_first_instance() {
  local code=0
  start_instance test || return
  ((${#side_by_side[@]} == 0)) || timed 'side by side' launch_classes test side-by-side "${side_by_side[@]}" || code=1
  ((${#disruptive[@]} == 0)) || timed 'disruptive, on the first instance' share_disruptive test || code=1
  return "$code"
}

run_second_instance() { # only where the first one has something else to do meanwhile
  ((${#disruptive[@]} && ${#side_by_side[@]} + ${#disruptive[@]} > 1)) || return 0
  start_instance test-2 && timed 'disruptive, on the second instance' share_disruptive test-2
}

run_on_real_nodes() { # a machine on which they do not start is none that has to test on them, unless it was asked to
  "$root/dev/up" --instance test-real --nodes real --servers-only || {
    say 'not tested on real nodes: they do not start on this machine'
    [[ $mode != --nodes ]]
    return
  }
  "$root/dev/up" --instance test-real --nodes real && timed 'on real nodes' launch_classes test-real real-nodes RealNodesE2E
}

are_real_nodes_possible() {
  local reason
  reason=$(use_instance test-real && use_nodes real && require_real_nodes 2>&1) || { say "not tested on real nodes: $reason" && return 1; }
}

run_real_nodes_in_turn() {
  [[ $mode$version$temporal_version$store == everythingdefaultdefaultembedded ]] && has_its_turn RealNodesE2E || return 0
  timed images make_images || return
  are_real_nodes_possible || return 0
  local code=0
  run_on_real_nodes || code=1
  ((code)) || "$root/dev/down" --instance test-real || code=1
  return "$code"
}

make_images() { # their base is made of Debian's packages; that two builds give the same bytes matters for a release
  if command -v apt-get >/dev/null; then
    if ((EUID)) || [[ -z ${LONG_TESTS-} ]]; then "$root/dev/images"; else "$root/dev/images" --check; fi
  else
    say 'not built: there is no apt-get here'
  fi
}

slowest_classes() { # of those that this command ran, unit tests too
  local xml
  mapfile -t xml < <(find "$root"/*/target/surefire-reports "$e2e_reports" -name 'TEST-*.xml' -newer "$began" 2>/dev/null)
  ((${#xml[@]})) || return 0
  awk -F'"' '/<testcase / {
    for (i = 1; i < NF; i++) {if ($i ~ / classname=$/) class = $(i + 1); if ($i ~ / time=$/) {gsub(",", "", $(i + 1)); time = $(i + 1)}}
    sub(/.*\./, "", class); seconds[class] += time
  } END {for (class in seconds) printf "%d %s\n", seconds[class], class}' "${xml[@]}" | sort -rn |
    awk 'NR == 1 {print "\nslowest classes (beside others):"} NR <= 15 {printf "%5d s  %s\n", $1, $2}'
}

count_end_to_end() { # what one instance has left to another is not counted
  find "$e2e_reports" -name 'TEST-*.xml' -newer "$began" -exec cat {} + 2>/dev/null | awk '
    /<testcase / {n++}
    /<skipped/ {if (/runs on another instance/) n--; else skipped++}
    /<(error|failure)[ >]/ {bad++}
    END {if (n) printf "\nend-to-end tests: %d, failed: %d, skipped: %d\n", n, bad, skipped}' || true
}

failed_tests() { # each with the top of its stack and its last output, because the run's own report is far above
  find "$root"/*/target/surefire-reports "$e2e_reports" -name 'TEST-*.xml' -newer "$began" -exec awk '
    / *<testcase / {name = $0; sub(/ time=.*/, "", name); sub(/^ *<testcase /, "", name); bad = 0}
    /<(error|failure)[ >]/ {left = 40; bad = 1; print "\n" name}
    left-- > 0 {sub(/<!\[CDATA\[/, ""); print substr($0, 1, 300)}
    /<\/(error|failure)>/ {left = 0}
    bad && /<system-out>/ {output = 1; n = 0}
    output {lines[n++] = substr($0, 1, 1500)}
    output && /<\/system-out>/ {for (i = n > 60 ? n - 60 : 0; i < n; i++) print lines[i]; output = 0}' {} + 2>/dev/null || true
}
