package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobCondition;
import io.fabric8.kubernetes.api.model.batch.v1.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Job's state, as its status reports it. */
public record JobState(Job job) {
  /** That of Kubernetes. */
  private static final Duration DEFAULT_GRACE = Duration.ofSeconds(30);

  public String name() {
    return job.getMetadata().getName();
  }

  public String uid() {
    return job.getMetadata().getUid();
  }

  /** Whether it has succeeded, and none of its pods runs any more. */
  public boolean hasSucceeded() {
    return condition("Complete").isPresent();
  }

  /** Whether it has succeeded or failed, and none of its pods runs any more. */
  public boolean hasEnded() {
    return hasSucceeded() || condition("Failed").isPresent();
  }

  /** Whether a pod of it has got ready, or has ended. */
  public boolean hasBegun() {
    var status = job.getStatus();
    return hasEnded()
        || status != null
            && Stream.of(status.getReady(), status.getSucceeded(), status.getFailed())
                .anyMatch(count -> count != null && count > 0);
  }

  /** Whether its controller creates no pods until somebody resumes it. */
  public boolean isSuspended() {
    return job.getSpec() != null && Boolean.TRUE.equals(job.getSpec().getSuspend());
  }

  /** Why it has failed, for people; empty when it has not. */
  public String failure() {
    return condition("Failed")
        .map(it -> "%s: %s".formatted(it.getReason(), it.getMessage()))
        .orElse("");
  }

  /** How long its pods may take to end after they are terminated. */
  public Duration grace() {
    return Optional.ofNullable(job.getSpec())
        .map(JobSpec::getTemplate)
        .map(PodTemplateSpec::getSpec)
        .map(PodSpec::getTerminationGracePeriodSeconds)
        .map(Duration::ofSeconds)
        .orElse(DEFAULT_GRACE);
  }

  /** When it was deleted, if it is still there because of its pods; empty when it was not. */
  public Optional<Instant> deletedAt() {
    return Optional.ofNullable(job.getMetadata().getDeletionTimestamp()).map(Instant::parse);
  }

  private Optional<JobCondition> condition(String type) {
    return Stream.ofNullable(job.getStatus())
        .flatMap(status -> Stream.ofNullable(status.getConditions()))
        .flatMap(List::stream)
        .filter(it -> type.equals(it.getType()) && "True".equals(it.getStatus()))
        .findFirst();
  }
}
