package io.middleware.engine.e2e;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.middleware.engine.api.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What became of the Apps' pods of a namespace, in the order in which the API server has it: {@code
 * "x leaves"} when pod x is being deleted, {@code "x ready"} when a pod of that name turns Ready
 * that was not there when the diary began.
 *
 * <p>A pod that comes and goes before it was ready is not recorded: under load the simulated
 * kubelet deletes by name, and may hit the successor. What the engine asked for is in the {@link
 * AuditLog}.
 */
public final class PodDiary implements Watcher<Pod>, AutoCloseable {
  private final List<String> lines = new ArrayList<>();
  private final Set<String> seen = new HashSet<>();
  private final Watch watch;

  public PodDiary(KubernetesClient client, String namespace) {
    var pods = client.pods().inNamespace(namespace).withLabel(Labels.APP);
    var now = pods.list();
    now.getItems().forEach(pod -> seen.add("ready " + pod.getMetadata().getUid()));
    watch = pods.withResourceVersion(now.getMetadata().getResourceVersion()).watch(this);
  }

  public synchronized List<String> lines() {
    return List.copyOf(lines);
  }

  /** The largest number of pods that were deleted and not yet replaced by a ready pod. */
  public int mostDownAtOnce() {
    Set<String> down = new HashSet<>();
    var most = 0;
    for (var line : lines()) {
      var words = line.split(" ", 2);
      if (words[1].equals("leaves")) {
        down.add(words[0]);
      } else {
        down.remove(words[0]);
      }
      most = Math.max(most, down.size());
    }
    return most;
  }

  @Override
  public synchronized void eventReceived(Action action, Pod pod) {
    var metadata = pod.getMetadata();
    if (isReady(pod) && seen.add("ready " + metadata.getUid())) {
      lines.add(metadata.getName() + " ready");
    }
    if (metadata.getDeletionTimestamp() != null
        && seen.contains("ready " + metadata.getUid())
        && seen.add("leaves " + metadata.getUid())) {
      lines.add(metadata.getName() + " leaves");
    }
  }

  private static boolean isReady(Pod pod) {
    return pod.getStatus().getConditions().stream()
        .anyMatch(c -> c.getType().equals("Ready") && c.getStatus().equals("True"));
  }

  @Override
  public synchronized void onClose(WatcherException cause) {
    lines.add("watch lost: " + cause.getMessage());
  }

  @Override
  public void close() {
    watch.close();
  }
}
