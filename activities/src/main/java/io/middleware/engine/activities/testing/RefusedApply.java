package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Whether the API server has refused a manifest for good. A field that a built-in kind does not
 * have is an error 500 without a reason, as is trouble of the server that passes: it is believed
 * when it lasts.
 */
final class RefusedApply {
  static final Duration PATIENCE = Duration.ofSeconds(15);

  private final Map<String, Long> since = new ConcurrentHashMap<>();
  private final LongSupplier nanoTime;

  RefusedApply(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** It was applied. */
  void forget(Manifest manifest) {
    since.remove(manifest.place());
  }

  /**
   * The failure to throw.
   *
   * @param explained what it is otherwise
   */
  ApplicationFailure failure(
      Manifest manifest, KubernetesClientException e, ApplicationFailure explained) {
    return isFinal(explained) || (mayBeRefusal(e) && lasts(manifest))
        ? ApplicationFailure.newNonRetryableFailure(
            explained.getOriginalMessage(), TestReasons.APPLY_REFUSED)
        : explained;
  }

  private static boolean isFinal(ApplicationFailure explained) {
    return FaultKind.INVALID.label().equals(explained.getType())
        || FaultKind.FORBIDDEN.label().equals(explained.getType());
  }

  private static boolean mayBeRefusal(KubernetesClientException e) {
    return Faults.kindOfDryRun(e) == FaultKind.INVALID;
  }

  private boolean lasts(Manifest manifest) {
    var now = nanoTime.getAsLong();
    var first = since.computeIfAbsent(manifest.place(), place -> now);
    return now - first >= PATIENCE.toNanos();
  }
}
