package io.middleware.engine.e2e.bench;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.readiness.Readiness;
import io.middleware.engine.e2e.AuditLog;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** P1: what lies between two pods of a group. */
final class Steps implements ResourceEventHandler<Pod> {
  private final Fleet fleet;
  private final Map<String, Instant> readySince = new ConcurrentHashMap<>();

  /** Looks at the fleet's pods from now on. */
  Steps(Fleet fleet) {
    this.fleet = fleet;
    fleet.client.pods().inNamespace(fleet.namespace).inform(this);
  }

  @Override
  public void onAdd(Pod pod) {
    note(pod);
  }

  @Override
  public void onUpdate(Pod before, Pod pod) {
    note(pod);
  }

  @Override
  public void onDelete(Pod pod, boolean unknown) {}

  private void note(Pod pod) {
    if (Readiness.isPodReady(pod)) {
      readySince.putIfAbsent(
          pod.getMetadata().getName() + "/" + pod.getMetadata().getUid(), Instant.now());
    }
  }

  /**
   * From a pod's readiness to the eviction of the next one, in ms.
   *
   * @param begin of the change
   */
  List<Double> overheads(AuditLog audit, String app, Instant begin) {
    var restarts =
        audit.writes(fleet.namespace).stream()
            .filter(w -> w.resource().equals("pods/eviction") && w.name().startsWith(app))
            .toList();
    var overheads = new ArrayList<Double>();
    restarts.stream()
        .collect(Collectors.groupingBy(restart -> group(restart.name())))
        .values()
        .forEach(ofGroup -> overheads.addAll(overheads(ofGroup, begin)));
    return overheads;
  }

  private List<Double> overheads(List<AuditLog.Entry> restarts, Instant begin) {
    var overheads = new ArrayList<Double>();
    for (int i = 1; i < restarts.size(); i++) {
      var ready = readyAgain(restarts.get(i - 1).name(), begin);
      overheads.add(Duration.between(ready, restarts.get(i).at()).toNanos() / 1e6);
    }
    return overheads;
  }

  private Instant readyAgain(String pod, Instant begin) {
    return readySince.entrySet().stream()
        .filter(entry -> entry.getKey().startsWith(pod + "/"))
        .map(Map.Entry::getValue)
        .filter(begin::isBefore)
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private static String group(String pod) {
    return pod.substring(0, pod.lastIndexOf('-'));
  }
}
