# shellcheck shell=bash
# The version of the engine, of which the root pom is the only source.

engine_version() { sed -n 's:.*<revision>\(.*\)</revision>.*:\1:p' "$root/pom.xml"; }

release_version() { # what the next release is called
  local version
  version=$(engine_version)
  echo "${version%-SNAPSHOT}"
}
