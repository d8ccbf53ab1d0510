package io.middleware.engine.activities.actions;

import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.actions.GroupJob.JobTarget;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.operation.PluginActions;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;

/**
 * The action {@code check} as a Job of the group {@code g}; the test plays the Job's controller.
 */
abstract class JobScene {
  private static final String PLUGIN =
      """
      name: redis
      version: 1.0.0
      runtimes: [{name: redis, versions: [{version: "7.0", images: {redis: "redis:7.0"}}]}]
      componentTypes:
      - name: redis
        actions:
        - name: check
          runs: Job
          job:
            apiVersion: batch/v1
            kind: Job
            spec: {template: {spec: {containers: [{name: check, image: "${images.redis}"}]}}}
        templates:
        - template: {apiVersion: v1, kind: ConfigMap, metadata: {name: "${name}"}}
      """;
  private static final String GROUP =
      "{app: cache, component: db, type: redis, group: g, plugin: {name: redis, version: 1.0.0},"
          + " runtime: {name: redis, version: '7.0'}, replicas: 2}";

  final LocalNamespace cluster;
  final LocalEngine engine;

  /** What ends a wait. */
  volatile RuntimeException interruption;

  volatile Runnable atHeartbeat = () -> {};
  Instant now = Instant.now();
  ChangeRef change;
  private Group owner;

  JobScene(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @BeforeEach
  void begin() {
    change = BegunAction.begin(cluster, engine, "check-1", "check");
    owner = BegunAction.createGroup(cluster, read(GROUP, GroupSpec.class));
  }

  /** What the run does at the end of its Operation. */
  void stopLeftovers() {
    new LeftoverJobs(cluster.view(), engine.jobs, new Operations(cluster.client()), () -> now)
        .stop(change, operation());
  }

  CompletableFuture<Void> start() {
    return CompletableFuture.runAsync(this::run);
  }

  void run() {
    var steps = engine.steps(cluster.view(), this::heartbeat);
    new GroupJob(steps, engine.jobs, recorded(), target()).run();
  }

  ActionRuns recorded() {
    return new ActionRuns(new Operations(cluster.client()), engine.secrets, target().group());
  }

  JobTarget target() {
    var plugin = read(PLUGIN, PluginSpec.class);
    var action = new PluginActions(plugin).find("redis", "check").orElseThrow();
    return new JobTarget(
        new GroupRef(new TaskRef(change, "1-action-db-1234", ChangeType.ACTION, "db"), "g"),
        owner,
        plugin,
        PluginActions.job(action, operation(), owner.getSpec()));
  }

  private void heartbeat(String message) {
    engine.heartbeats.add(message);
    atHeartbeat.run();
    if (interruption != null) {
      throw interruption;
    }
  }

  Job awaitJob() {
    cluster.await().until(() -> jobs().size() == 1);
    return jobs().getFirst();
  }

  List<Job> jobs() {
    return new FakeJobs(cluster).all();
  }

  List<ActionRun> runs() {
    return operation().getStatus().runs();
  }

  Operation operation() {
    return new Operations(cluster.client()).find(change).orElseThrow();
  }

  private static <T> T read(String yaml, Class<T> type) {
    return Serialization.unmarshal("---\n" + yaml, type); // otherwise flow style is read as JSON
  }
}
