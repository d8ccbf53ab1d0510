package io.middleware.engine.simulator.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The root of one container: the files of this machine, with the container's volumes where it
 * mounts them, a {@code /tmp} of its own and the names of the pods in {@code /etc/hosts}. It is a
 * mount namespace of this user, which needs no rights and ends with the last process in it.
 *
 * <ol>
 *   <li>An empty file system gets a link to each entry of the machine's root.
 *   <li>A folder in which something differs becomes a folder of links to what the machine has in
 *       it.
 *   <li>The volumes are bound there, and the command begins below this root.
 * </ol>
 *
 * @param folder of this machine that is seen inside as well, with all that is below it
 * @param root an empty folder below it
 * @param hosts the file with the names of the pods
 * @param message the file with what the container says last
 */
record ContainerRoot(Path folder, Path root, Path hosts, Path message) {
  private static final String SCRIPT =
      """
      set -e
      root=$1 folder=$2 hosts=$3 message=$4 said=$5 name=$6 directory=$7
      shift 7
      links() {
        find "${1:-/}" -mindepth 1 -maxdepth 1 -printf '/.machine%p\\0' | xargs -0r ln -s -t "$root$1"
      }
      own() {
        if [ -z "$1" ] || { [ -d "$root$1" ] && [ ! -L "$root$1" ]; }; then return; fi
        own "${1%/*}"
        rm -f "$root$1"
        mkdir "$root$1"
        [ ! -d "$1" ] || links "$1"
      }
      mount -t tmpfs tmpfs "$root"
      mkdir "$root/.machine"
      mount --rbind / "$root/.machine"
      links ''
      rm -f "$root/tmp"
      mkdir -m 1777 "$root/tmp"
      case $folder in
        /tmp/*) own "$folder" && mount --rbind "$folder" "$root$folder" ;;
      esac
      own /etc
      ln -sf "$hosts" "$root/etc/hosts"
      own "${said%/*}"
      ln -sf "$message" "$root$said"
      while [ "$1" != -- ]; do
        if [ -d "$2" ]; then
          own "$1"
          mount --rbind "$2" "$root$1"
        else
          own "${1%/*}"
          ln -sf "$2" "$root$1"
        fi
        shift 2
      done
      shift
      hostname "$name"
      exec chroot "$root" env --chdir="$directory" "$@"
      """;

  /**
   * What a command begins with.
   *
   * @param said the path of the message inside
   * @param hostname of the pod
   * @param directory in which the command begins
   * @param volumes folders and files by their path inside
   */
  record Settings(String said, String hostname, String directory, Map<String, Path> volumes) {}

  /** The command that runs this one in a new container. It becomes it: the pid stays. */
  List<String> enter(Settings settings, List<String> command) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("unshare", "--user", "--map-root-user", "--mount", "--uts"));
    line.addAll(List.of("sh", "-c", SCRIPT, "sh", root.toString(), folder.toString()));
    line.addAll(List.of(hosts.toString(), message.toString(), settings.said()));
    line.addAll(List.of(settings.hostname(), settings.directory()));
    settings
        .volumes()
        .forEach((path, on) -> line.addAll(List.of(path.replaceFirst("/+$", ""), on.toString())));
    line.add("--");
    line.addAll(command);
    return line;
  }

  /** The command that runs this one in the container of a process. */
  static List<String> join(ProcessHandle process, List<String> command) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("nsenter", "--target", String.valueOf(process.pid()), "--user"));
    line.addAll(List.of("--preserve-credentials", "--mount", "--uts", "--root", "--wd", "--"));
    line.addAll(command);
    return line;
  }
}
