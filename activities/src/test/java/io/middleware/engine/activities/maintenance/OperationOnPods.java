package io.middleware.engine.activities.maintenance;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.PodEvictor;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepReporter;
import io.middleware.engine.activities.pods.StopChecks;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.operation.OperationTarget;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OperationRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;

/** The Operation {@code once} on group {@code g}, whose run {@code run-1} holds the App. */
final class OperationOnPods {
  private static final String NAME = "once";

  private final LocalNamespace cluster;
  private final LocalEngine engine;

  OperationOnPods(LocalNamespace cluster, LocalEngine engine) {
    this.cluster = cluster;
    this.engine = engine;
  }

  /** Begins it. */
  GroupRef begin(OperationAction action, ChangeType type, String... pods) {
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName(NAME).build());
    operation.setSpec(
        new OperationSpec(
            "cache",
            action,
            new OperationTarget("db", null, List.of(pods)),
            null,
            null,
            null,
            60,
            false));
    var created = cluster.create(operation);
    created.setStatus(OperationStatus.pending("is about to begin"));
    cluster.client().resource(created).updateStatus();
    var change = held(created, action);
    return new GroupRef(new TaskRef(change, "1-once-db", type, "db"), "g");
  }

  private ChangeRef held(Operation operation, OperationAction action) {
    var uid = operation.getMetadata().getUid();
    var change = engine.begin(cluster.createApp());
    cluster.patchStatus(
        "{\"operation\": {\"name\": \"%s\", \"uid\": \"%s\", \"runId\": \"run-1\"}}"
            .formatted(NAME, uid));
    return change.of(Optional.of(new OperationRef(NAME, uid, action)));
  }

  OperationStatus status() {
    return cluster.named(Operation.class, NAME).get().getStatus();
  }

  PodStepContext steps(ClusterView view) {
    return new PodStepContext(
        view,
        engine.waiter,
        engine.gate,
        new PodEvictor(cluster.client(), engine.writers),
        new StepReporter(engine.events, new ActionProgressWriter(engine.status, engine.secrets)),
        StopChecks.NONE);
  }
}
