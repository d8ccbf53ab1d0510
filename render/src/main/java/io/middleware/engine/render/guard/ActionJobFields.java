package io.middleware.engine.render.guard;

import io.middleware.engine.api.Labels;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/** Sets the fields of an action's Job that the engine relies on, after the guard has passed it. */
public final class ActionJobFields {
  /** How long a Job that has ended stays, so that its result is found: 10 minutes. */
  private static final long SECONDS_KEPT = 600;

  private final Optional<Duration> timeout;
  private final Optional<Duration> killTimeout;

  /**
   * @param timeout of the Job; empty: that of the template, if it has one
   * @param killTimeout of its pods; empty: that of the template
   */
  public ActionJobFields(Optional<Duration> timeout, Optional<Duration> killTimeout) {
    this.timeout = timeout;
    this.killTimeout = killTimeout;
  }

  /** Names an object before the guard sees it. */
  public static void name(Map<String, Object> object, String name) {
    ForcedFields.below(object, "metadata").put("name", name);
  }

  /**
   * @param job a copy that is the caller's own
   */
  public RenderedObject in(RenderedObject job) {
    var object = new InspectedObject(job.tree(), new ArrayList<>());
    if (object.at("spec").value() instanceof Map<?, ?> spec) {
      limits(ForcedFields.open(spec));
    }
    object.metadataTemplates().forEach(ActionJobFields::keepApart);
    object.podSpecs().forEach(this::pods);
    return job;
  }

  /** Nobody knows whether a failed action may be repeated, unless the template says so. */
  private void limits(Map<String, Object> spec) {
    spec.putIfAbsent("backoffLimit", 0);
    spec.put("ttlSecondsAfterFinished", longer(spec.get("ttlSecondsAfterFinished"), SECONDS_KEPT));
    timeout
        .map(ActionJobFields::seconds)
        .ifPresent(
            limit ->
                spec.put(
                    "activeDeadlineSeconds", shorter(spec.get("activeDeadlineSeconds"), limit)));
  }

  /** Its pods are none of the group's: no Service, budget or order may count them. */
  private static void keepApart(TreeCursor pods) {
    if (pods.at("metadata", "labels").value() instanceof Map<?, ?> labels) {
      labels.remove(Labels.COMPONENT);
      labels.remove(Labels.GROUP);
    }
  }

  /** A pod that has failed stays, with its last words. */
  private void pods(TreeCursor pod) {
    if (pod.value() instanceof Map<?, ?> fields) {
      var spec = ForcedFields.open(fields);
      spec.put("restartPolicy", "Never");
      killTimeout
          .map(ActionJobFields::seconds)
          .ifPresent(it -> spec.put("terminationGracePeriodSeconds", it));
      InspectedObject.containers(pod)
          .map(TreeCursor::value)
          .filter(Map.class::isInstance)
          .map(container -> ForcedFields.open((Map<?, ?>) container))
          .forEach(it -> it.putIfAbsent("terminationMessagePolicy", "FallbackToLogsOnError"));
    }
  }

  private static long longer(Object given, long least) {
    return given instanceof Number number ? Math.max(number.longValue(), least) : least;
  }

  private static long shorter(Object given, long most) {
    return given instanceof Number number ? Math.min(number.longValue(), most) : most;
  }

  /** Rounded up, so that a short time is not none. */
  private static long seconds(Duration time) {
    return time.plusMillis(999).toSeconds();
  }
}
