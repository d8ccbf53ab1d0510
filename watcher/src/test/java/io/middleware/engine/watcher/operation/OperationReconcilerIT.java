package io.middleware.engine.watcher.operation;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.process.servers.LocalCluster;
import io.middleware.engine.process.servers.LocalTemporal;
import io.middleware.engine.watcher.change.TemporalChangeRuns;
import io.middleware.engine.watcher.control.ControlEvents;
import io.middleware.engine.watcher.control.EventPublisher;
import io.middleware.engine.watcher.request.ReleasedRequestContract;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmissions;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;

/** Operations that exclude nothing, on an App that has been deployed. */
class OperationReconcilerIT extends ReleasedRequestContract<Operation> {
  OperationReconcilerIT(LocalCluster cluster, LocalTemporal server) {
    super(cluster, server, Labels.OPERATION);
  }

  @BeforeAll
  void deploy() {
    cluster().createApp();
    cluster().patchStatus("{\"observedGeneration\": 1}");
  }

  @Override
  protected RequestReconciler<Operation> reconciler() {
    var client = cluster().client();
    var clock = InstantSource.system();
    var submissions = new RequestSubmissions(client, temporal.calls, clock);
    var carriers =
        new OperationCarriers(
            new TemporalChangeRuns(temporal.calls, temporal.cluster),
            app -> submissions.runs(new OperationRuns(temporal.cluster, app)),
            (app, action) -> Optional.of(true),
            clock);
    var objects =
        new LiveOperations(client, new EventPublisher(client, new ControlEvents("test", clock)));
    return OperationKind.reconciler(submissions, carriers, objects, new SimpleMeterRegistry());
  }

  @Override
  public Operation create(String name) {
    return cluster()
        .create(
            Operation.class,
            "metadata: {name: %s}\nspec: {app: cache, action: report}".formatted(name));
  }

  @Override
  protected String workflowId(String name) {
    return "op/%s/%s".formatted(cluster().namespace(), name);
  }

  @Override
  protected List<String> phases() {
    return List.of("InProgress", "Succeeded");
  }
}
