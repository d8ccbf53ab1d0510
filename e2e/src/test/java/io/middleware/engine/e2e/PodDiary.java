package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.middleware.engine.api.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  /** By uid, the newest version of each pod that the watch has shown and that is not gone. */
  private final Map<String, Long> versions = new HashMap<>();

  private final Set<String> gone = new HashSet<>();
  private final FilterWatchListDeletable<Pod, PodList, PodResource> pods;
  private final Watch watch;
  private boolean lost;

  public PodDiary(KubernetesClient client, String namespace) {
    pods = client.pods().inNamespace(namespace).withLabel(Labels.APP);
    var now = pods.list();
    now.getItems().forEach(this::begin);
    watch = pods.withResourceVersion(now.getMetadata().getResourceVersion()).watch(this);
  }

  private synchronized void begin(Pod pod) {
    seen.add("ready " + pod.getMetadata().getUid());
    versions.put(pod.getMetadata().getUid(), version(pod));
  }

  /** Until now: what the API server has is waited for, as the watch tells of it a little later. */
  public List<String> lines() {
    var now = pods.list();
    await("the watch of the diary")
        .atMost(Shop.PATIENCE)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> hasSeen(now));
    synchronized (this) {
      return List.copyOf(lines);
    }
  }

  /**
   * Each line once. A simulated node may take the same pod twice, which is no deed of the engine:
   * how often the engine took it away is in the {@link AuditLog}.
   */
  public List<String> firstTimes() {
    return lines().stream().distinct().toList();
  }

  private synchronized boolean hasSeen(PodList now) {
    var there = new HashMap<String, Long>();
    now.getItems().forEach(pod -> there.put(pod.getMetadata().getUid(), version(pod)));
    var listed = Long.parseLong(now.getMetadata().getResourceVersion());
    return lost
        || there.entrySet().stream()
                .allMatch(
                    pod ->
                        gone.contains(pod.getKey())
                            || versions.getOrDefault(pod.getKey(), 0L) >= pod.getValue())
            && versions.entrySet().stream()
                .allMatch(pod -> there.containsKey(pod.getKey()) || pod.getValue() > listed);
  }

  private static long version(Pod pod) {
    return Long.parseLong(pod.getMetadata().getResourceVersion());
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
    if (action == Action.DELETED) {
      versions.remove(metadata.getUid());
      gone.add(metadata.getUid());
    } else {
      versions.put(metadata.getUid(), version(pod));
    }
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
    lost = true;
    lines.add("watch lost: " + cause.getMessage());
  }

  @Override
  public void close() {
    watch.close();
  }
}
