package io.middleware.engine.simulator.host;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How to run real processes on this machine.
 *
 * @param program the {@code redis-server} to run for an image without programs of its own
 * @param folder for the volumes, files and logs of the pods
 * @param images the programs of images
 * @param roots whether each container has a root of its own, see {@link ContainerRoot}; without
 *     them only pods of Redis and Jobs have real processes
 */
public record HostSettings(Path program, Path folder, ImagePrograms images, boolean roots) {
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

  /** The folder of what belongs to a container of a pod; no volume has such a name. */
  Path container(String podUid, String container) {
    return run(podUid).resolve(".containers").resolve(container);
  }

  /** The file with the names of other pods, of one pod. */
  Path hosts(String podUid) {
    return run(podUid).resolve(".hosts");
  }

  /** The log of all pods with this name, one after the other. */
  Path log(String namespace, String pod) {
    return folder.resolve("log").resolve(namespace + "_" + pod + ".log");
  }

  /**
   * The PATH of the processes of an image: its own programs come first, then those beside the
   * {@code redis-server}. Throws IllegalStateException where its programs are missing, as another
   * version would run otherwise.
   */
  String searchPath(String image) {
    images
        .folder(image)
        .filter(missing -> !Files.isDirectory(missing))
        .ifPresent(
            missing -> {
              throw new IllegalStateException(
                  "the programs of the image %s are not in %s yet: build them, as with dev/programs etcd"
                      .formatted(image, missing));
            });
    return Stream.of(
            images.folder(image).stream(),
            Stream.of(program.getParent()),
            Stream.of(System.getenv("PATH")))
        .flatMap(part -> part)
        .map(Object::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
