package io.middleware.engine.simulator.host;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.grpc.Status;
import io.middleware.engine.agent.store.StoreFiles;
import io.middleware.engine.agent.store.StoreSettings;
import io.middleware.engine.agent.store.StoreSource;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The store of backups as a container of a pod has it mounted. Its files are those of the cluster
 * at each call.
 */
record HostedStore(Pod pod, Container container, KubernetesClient client, HostSettings host)
    implements StoreSource {
  private static final String FOLDER = "BACKUP_STORE_FOLDER";

  /** Of the first container that has one. */
  static Optional<HostedStore> of(Pod pod, KubernetesClient client, HostSettings host) {
    return pod.getSpec().getContainers().stream()
        .filter(one -> ContainerCommand.environment(pod, one).containsKey(FOLDER))
        .findFirst()
        .map(one -> new HostedStore(pod, one, client, host));
  }

  @Override
  public StoreSettings settings() {
    try {
      var mounts = MountedVolumes.of(pod, container, client, host);
      var folder = ContainerCommand.environment(pod, container).get(FOLDER);
      var settings = new StoreFiles(Path.of(mounts.toLocalPath(folder))).settings();
      return settings instanceof StoreSettings.Folder(var path)
          ? new StoreSettings.Folder(Path.of(mounts.toLocalPath(path.toString())))
          : settings;
    } catch (IOException | KubernetesClientException | IllegalStateException e) {
      throw Status.UNAVAILABLE
          .withDescription("cannot mount the settings of the backup store: " + e.getMessage())
          .withCause(e)
          .asRuntimeException();
    }
  }
}
