package io.middleware.engine.activities.backup;

import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.BackupActivities.BackupGroup;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** The pods of a group that is copied. */
final class CopyPods {
  /** Between two looks at the pods and their roles. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ClusterWaiter waiter;
  private final AgentQueries queries;
  private final Place place;
  private final Duration patience;
  private final ExistingPods existing;

  /** A group, and how its agents are reached. */
  record Place(AppKey app, BackupGroup group, AgentEndpoint agents) {}

  /**
   * @param patience how long a replica is waited for
   */
  CopyPods(
      ClusterView view,
      ClusterWaiter waiter,
      AgentQueries queries,
      Place place,
      Duration patience) {
    this.waiter = waiter;
    this.queries = queries;
    this.place = place;
    this.patience = patience;
    this.existing =
        new ExistingPods(view, place.app(), place.group().component(), place.group().group());
  }

  ExistingPods existing() {
    return existing;
  }

  /** Whether a pod has been waited for long enough. */
  boolean isOverdue(long beginNanos) {
    return System.nanoTime() - beginNanos >= patience.toNanos();
  }

  /** Whether another pod can be asked instead. */
  boolean hasOther(PodState pod, Set<String> refused) {
    return ready(refused).stream().anyMatch(it -> !it.uid().equals(pod.uid()));
  }

  /**
   * The pod that is copied; waits until there is one. Empty when all have refused.
   *
   * @param refused uids of those that cannot make a good copy
   */
  Optional<PodState> next(Set<String> refused, Consumer<String> progress) {
    var begin = System.nanoTime();
    while (true) {
      var over = isOverdue(begin);
      var source = new CopySource(roles(ready(refused)), replicas() == 1);
      var pod = source.choose(over || !refused.isEmpty());
      if (pod.isPresent() || over && !refused.isEmpty()) {
        return pod;
      }
      if (!refused.isEmpty()
          && existing.all().stream().allMatch(it -> refused.contains(it.uid()))) {
        return Optional.empty();
      }
      pause(missing(source), progress);
    }
  }

  private void pause(String message, Consumer<String> progress) {
    waiter.until(
        place.app(),
        PAUSE.compareTo(patience) < 0 ? PAUSE : patience,
        () -> {
          progress.accept(message);
          return Optional.of(message);
        });
  }

  private String missing(CopySource source) {
    return source.roles().isEmpty()
        ? "no pod is ready"
        : source.choose(true).isPresent()
            ? "no replica is ready; after %d s the primary is copied"
                .formatted(patience.toSeconds())
            : "no ready pod reports the role replica or primary";
  }

  private Map<PodState, String> roles(List<PodState> pods) {
    return AttendedCalls.await(
            () -> PodRoles.of(queries, place.agents(), pods),
            () -> waiter.heartbeat().send("pods are asked for their roles"))
        .byPod();
  }

  private List<PodState> ready(Set<String> refused) {
    return existing.ready().stream().filter(pod -> !refused.contains(pod.uid())).toList();
  }

  private int replicas() {
    return existing.set().map(Rollout::replicas).orElse(0);
  }
}
