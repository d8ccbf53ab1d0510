package io.middleware.engine.watcher;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.process.EngineSettings;
import io.middleware.engine.watcher.backup.BackupKind;
import io.middleware.engine.watcher.cache.ObservedPlugins;
import io.middleware.engine.watcher.change.ChangeRuns;
import io.middleware.engine.watcher.control.EventPublisher;
import io.middleware.engine.watcher.operation.LiveOperations;
import io.middleware.engine.watcher.operation.OperationCarriers;
import io.middleware.engine.watcher.operation.OperationKind;
import io.middleware.engine.watcher.operation.OperationRuns;
import io.middleware.engine.watcher.request.RequestReconciler;
import io.middleware.engine.watcher.request.RequestSubmissions;
import io.middleware.engine.watcher.temporal.TemporalCalls;
import io.middleware.engine.watcher.testing.TestReconcilers;
import java.time.InstantSource;
import java.util.List;

/** Builds the reconcilers of all objects that ask for a run. */
record RequestAssembly(
    EngineSettings settings, KubernetesClient client, MeterRegistry registry, InstantSource clock) {

  List<RequestReconciler<?>> reconcilers(
      TemporalCalls calls, ChangeRuns changes, ObservedPlugins plugins, EventPublisher events) {
    var submissions = new RequestSubmissions(client, calls, clock);
    var tests = new TestReconcilers(submissions, settings.cluster(), clock);
    return List.of(
        operations(submissions, changes, plugins, events),
        BackupKind.reconciler(submissions, settings.cluster()),
        tests.integrationTests(),
        tests.loadTests());
  }

  private RequestReconciler<Operation> operations(
      RequestSubmissions submissions,
      ChangeRuns changes,
      ObservedPlugins plugins,
      EventPublisher events) {
    var carriers =
        new OperationCarriers(
            changes,
            app -> submissions.runs(new OperationRuns(settings.cluster(), app)),
            plugins::isShared,
            clock);
    return OperationKind.reconciler(
        submissions, carriers, new LiveOperations(client, events), registry);
  }
}
