package io.middleware.engine.workflows.backup;

import io.middleware.engine.workflows.port.BackupRef;
import io.middleware.engine.workflows.request.BackupRequest;
import io.middleware.engine.workflows.temporal.FailureCauses;
import io.temporal.common.SearchAttributeKey;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Workflow;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** {@inheritDoc} */
public final class BackupWorkflowImpl implements BackupWorkflow {
  /** Set by Temporal in the runs of a schedule; a backfill has the times that it fills. */
  private static final SearchAttributeKey<OffsetDateTime> SCHEDULED =
      SearchAttributeKey.forOffsetDateTime("TemporalScheduledStartTime");

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  @Override
  public String run(BackupRequest request) {
    try {
      return new BackupRun(backup(request)).run();
    } catch (TemporalFailure e) {
      throw FailureCauses.clean(e);
    }
  }

  private static BackupRef backup(BackupRequest request) {
    var info = Workflow.getInfo();
    return new BackupRef(
        request.cluster(),
        request.namespace(),
        request.app(),
        request.backup().orElseGet(() -> request.app() + "-" + TIME.format(scheduledTime())),
        info.getWorkflowId(),
        info.getRunId(),
        request.backup().isEmpty(),
        request.beforeUpgradeTo());
  }

  private static OffsetDateTime scheduledTime() {
    var scheduled = Workflow.getTypedSearchAttributes().get(SCHEDULED);
    return scheduled == null
        ? Instant.ofEpochMilli(Workflow.getInfo().getRunStartedTimestampMillis())
            .atOffset(ZoneOffset.UTC)
        : scheduled.withOffsetSameInstant(ZoneOffset.UTC);
  }
}
