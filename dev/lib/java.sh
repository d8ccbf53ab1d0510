# shellcheck shell=bash
# Finds a JDK that can run the engine, for the processes and for Maven.

jdk_feature() { # folder; 21 for 21.0.2
  sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null
}

# The option of Java 23 and newer to print nothing about sun.misc.Unsafe, which Netty uses: the log of a process is JSON only, and a user reads what Maven prints.
unsafe_option() { # folder of a JDK or JRE
  local feature
  feature=$(jdk_feature "$1")
  ((${feature:-0} < 23)) || echo --sun-misc-unsafe-memory-access=allow
}

jdk_candidates() {
  local java
  [[ -z ${JAVA_HOME-} ]] || echo "$JAVA_HOME"
  if java=$(command -v java); then dirname "$(dirname "$(readlink -f "$java")")"; fi
  printf '%s\n' /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/*
}

use_jdk() {
  local home feature
  while read -r home; do
    [[ -x $home/bin/javac ]] || continue
    feature=$(jdk_feature "$home")
    if ((${feature:-0} >= 21)); then
      export JAVA_HOME=$home
      MAVEN_OPTS="${MAVEN_OPTS-} $(unsafe_option "$home")" # Maven's Guava uses it, too
      export MAVEN_OPTS
      return
    fi
  done < <(jdk_candidates)
  die "no JDK 21 or newer found in JAVA_HOME, PATH or /usr/lib/jvm: install one (or set JAVA_HOME to it) and try again"
}
