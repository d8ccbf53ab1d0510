package io.middleware.engine.watcher.change;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.api.task.Timestamp;
import io.middleware.engine.watcher.health.StatusWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The condition {@code Submitted}, which an App has while its edit cannot be submitted to Temporal.
 * It has a field manager of its own, because an apply writes all that its manager owns.
 */
public final class SubmissionCondition implements SubmissionReport {
  public static final String MANAGER = "middleware-submission";

  private static final int LONGEST_CAUSE = 1000;

  private final StatusWriter writer;

  /**
   * @param writer with {@link #MANAGER} as its field manager
   */
  public SubmissionCondition(StatusWriter writer) {
    this.writer = writer;
  }

  @Override
  public void late(App app, Instant since, String cause) {
    var message =
        "generation %d could not be submitted to Temporal, which is retried: %s"
            .formatted(app.getMetadata().getGeneration(), Excerpt.of(cause, LONGEST_CAUSE));
    var condition =
        new ConditionBuilder()
            .withType(Reasons.SUBMITTED)
            .withStatus("False")
            .withReason(Reasons.TEMPORAL_UNAVAILABLE)
            .withMessage(message)
            .withObservedGeneration(app.getMetadata().getGeneration())
            .withLastTransitionTime(Timestamp.of(since))
            .build();
    if (!shown(app).map(Condition::getMessage).equals(Optional.of(message))) {
      write(app, List.of(condition));
    }
  }

  @Override
  public void arrived(App app) {
    if (shown(app).isPresent()) {
      write(app, List.of());
    }
  }

  private static Optional<Condition> shown(App app) {
    return app.getStatus() == null || app.getStatus().conditions() == null
        ? Optional.empty()
        : app.getStatus().conditions().stream()
            .filter(condition -> Reasons.SUBMITTED.equals(condition.getType()))
            .findFirst();
  }

  private void write(App app, List<Condition> conditions) {
    var bare = new App();
    bare.getMetadata().setName(app.getMetadata().getName());
    bare.getMetadata().setNamespace(app.getMetadata().getNamespace());
    bare.setStatus(AppStatusBuilder.builder().conditions(conditions).build());
    writer.write(bare);
  }
}
