package io.middleware.engine.simulator.host;

import java.io.File;
import java.nio.file.Path;

/**
 * How to run real processes on this machine.
 *
 * @param program the {@code redis-server} to run, whatever image a pod has
 * @param folder for the volumes, files and logs of the pods
 */
public record HostSettings(Path program, Path folder) {
  /**
   * The folder of a volume claim. A new claim with the same name has another uid and starts empty.
   */
  Path volume(String claimUid) {
    return folder.resolve("volumes").resolve(claimUid);
  }

  /** The folder of a pod, removed with the pod. */
  Path run(String podUid) {
    return folder.resolve("run").resolve(podUid);
  }

  /** The log of all pods with this name, one after the other. */
  Path log(String namespace, String pod) {
    return folder.resolve("log").resolve(namespace + "_" + pod + ".log");
  }

  /** The PATH of all processes: programs beside the {@code redis-server} come first. */
  String searchPath() {
    return program.getParent() + File.pathSeparator + System.getenv("PATH");
  }
}
