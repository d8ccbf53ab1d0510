package io.middleware.engine.activities.actions;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationSpec;
import io.middleware.engine.api.operation.OperationStatus;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.OperationRef;
import java.util.Optional;

/** An Operation with an action of the Plugin, and its App that its run holds. */
final class BegunAction {
  private BegunAction() {}

  static ChangeRef begin(LocalNamespace cluster, LocalEngine engine, String name, String action) {
    var operation = new Operation();
    operation.setMetadata(new ObjectMetaBuilder().withName(name).build());
    operation.setSpec(
        Serialization.unmarshal("app: cache\naction: " + action, OperationSpec.class));
    var created = cluster.create(operation);
    created.setStatus(OperationStatus.pending("is about to begin"));
    cluster.client().resource(created).updateStatus();
    var uid = created.getMetadata().getUid();
    var begun =
        engine
            .begin(cluster.createApp())
            .of(Optional.of(new OperationRef(name, uid, OperationAction.PLUGIN)));
    cluster.patchStatus(
        "{\"operation\": {\"name\": \"%s\", \"uid\": \"%s\", \"runId\": \"run-1\"}}"
            .formatted(name, uid));
    return begun;
  }

  /** The same without the run lock, which a change holds; another run has gone before. */
  static ChangeRef besideAChange(LocalNamespace cluster, ChangeRef begun) {
    cluster.patchStatus("{\"operation\": null, \"change\": {\"runId\": \"run-9\"}}");
    new Operations(cluster.client())
        .write(begun, found -> Optional.of(found.getStatus().by("run-0")));
    var own = begun.operation().orElseThrow();
    return begun.of(
        Optional.of(
            new OperationRef(own.name(), own.uid(), OperationAction.PLUGIN, "flush", true)));
  }

  /** The Group {@code g} of the component {@code db}, on which the action works. */
  static Group createGroup(LocalNamespace cluster, GroupSpec spec) {
    var group = new Group();
    group.setMetadata(
        new ObjectMetaBuilder()
            .withName("cache-db-g")
            .withLabels(Labels.of("cache", "db", "g", "redis-v1.0.0"))
            .build());
    group.setSpec(spec);
    return cluster.create(group);
  }
}
