package io.middleware.engine.simulator.host;

import java.nio.file.Path;

/**
 * What processes are made of here.
 *
 * @param program the {@code redis-server} to run, whatever image a pod names
 * @param folder where volumes, files and logs of the pods are kept
 */
public record HostSettings(Path program, Path folder) {
  /** Of a claim; a new claim of the same name has another uid, so it begins empty. */
  Path volume(String claimUid) {
    return folder.resolve("volumes").resolve(claimUid);
  }

  /** Of a pod; goes with it. */
  Path run(String podUid) {
    return folder.resolve("run").resolve(podUid);
  }

  /** Of all pods that had this name, one after the other. */
  Path log(String namespace, String pod) {
    return folder.resolve("log").resolve(namespace + "_" + pod + ".log");
  }
}
