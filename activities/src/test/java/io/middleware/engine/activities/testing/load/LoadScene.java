package io.middleware.engine.activities.testing.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.middleware.engine.activities.testing.IntegrationTestScene;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadRun;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWork;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.client.ActivityCanceledException;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** The LoadTest {@code benchmark} on the ConfigMap {@code target}, with one Job as workload. */
public final class LoadScene {
  static final String RUN = "run-1";

  private static final String TEST =
      """
      apiVersion: test.middleware.io/v1
      kind: LoadTest
      metadata: {name: benchmark}
      spec:
        target: {apiVersion: v1, kind: ConfigMap, name: target}
        ready: {allOf: [{cel: "target.data.phase == 'Ready'"}]}
        inject:
        - {name: TARGET_HOST, cel: "target.metadata.name + '.' + namespace"}
        workload:
        - apiVersion: batch/v1
          kind: Job
          metadata: {name: bench}
          spec:
            template:
              spec:
                restartPolicy: Never
                containers: [{name: bench, image: "redis:7.2"}]
        checks: {every: 1s, failureThreshold: 3, allOf: [{cel: "target.data.healthy == 'true'"}]}
        serviceAccountName: tester
      """;

  final LocalNamespace cluster;
  final LoadJob jobs;
  final FakeAttempt attempt = new FakeAttempt();
  private final InstantSource clock = InstantSource.system();

  private final HttpSources http;

  LoadScene(LocalNamespace cluster) {
    this(cluster, HttpSources.of(EndpointPolicy.of(List.of(), "")));
  }

  /**
   * @param http what conditions ask over HTTP
   */
  public LoadScene(LocalNamespace cluster, HttpSources http) {
    this.cluster = cluster;
    this.http = http;
    this.jobs = new LoadJob(cluster);
  }

  /** Activities of a run that is the current one of its workflow. */
  public KubernetesLoadTestActivities activities() {
    return new KubernetesLoadTestActivities(
        cluster.client(),
        IntegrationTestScene.accounts(cluster),
        test -> true,
        attempt,
        http,
        clock);
  }

  /** What the account of the test may do. */
  void allow() {
    allow("tester");
  }

  /**
   * The same.
   *
   * @param role name of the role
   */
  public void allow(String role) {
    var rights =
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: %1$s}
        rules:
        - apiGroups: ["", batch]
          resources: [configmaps, jobs, pods]
          verbs: [get, list, create, patch, delete]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: %1$s}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: %1$s}
        subjects: [{kind: ServiceAccount, name: tester, namespace: %2$s}]
        """
            .formatted(role, cluster.namespace());
    cluster
        .client()
        .load(new ByteArrayInputStream(rights.getBytes(UTF_8)))
        .inNamespace(cluster.namespace())
        .create();
  }

  /** The LoadTest, edited. */
  public LoadTest create(UnaryOperator<String> edit) {
    return cluster.create(
        cluster.client().getKubernetesSerialization().unmarshal(edit.apply(TEST), LoadTest.class));
  }

  LoadTest create() {
    return create(UnaryOperator.identity());
  }

  public ConfigMap createTarget(String name, Map<String, String> labels) {
    return cluster.create(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .withLabels(labels)
            .endMetadata()
            .withData(Map.of("phase", "Ready", "healthy", "true"))
            .build());
  }

  void set(String key, String value) {
    cluster
        .named(ConfigMap.class, "target")
        .edit(it -> new ConfigMapBuilder(it).addToData(key, value).build());
  }

  static LoadTargetFound target() {
    return new LoadTargetFound("v1", "ConfigMap", "target");
  }

  LoadRef load(LoadTest test) {
    return load(test, RUN);
  }

  LoadRef load(LoadTest test, String run) {
    var meta = test.getMetadata();
    var namespace = cluster.namespace();
    return new LoadRef(
        new TestRef(
            "",
            namespace,
            meta.getName(),
            meta.getUid(),
            "load/%s/%s".formatted(namespace, meta.getName()),
            run),
        meta.getUid(),
        Optional.empty());
  }

  /** The load of a step. */
  LoadRef loadOfStep(LoadTest test) {
    var meta = test.getMetadata();
    var namespace = cluster.namespace();
    return new LoadRef(
        new TestRef(
            "",
            namespace,
            meta.getName(),
            "",
            "test/%s/upgrade/1/swap/load".formatted(namespace),
            RUN),
        RUN,
        Optional.of("upgrade/swap"));
  }

  /** A load that has begun, with its workload. */
  public LoadRun begin(LoadTest test) {
    return begin(load(test));
  }

  public LoadRun begin(LoadRef load) {
    activities().beginLoad(load);
    var begun =
        CompletableFuture.supplyAsync(
            () -> activities().createWorkload(new LoadWork(load, target())),
            Thread::startVirtualThread);
    awaitRunning(begun);
    try {
      return new LoadRun(load, target(), begun.join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException failure ? failure : e;
    }
  }

  /** Lets the pod of the Job run as soon as it is created. */
  void awaitRunning(Future<?> begins) {
    cluster
        .await()
        .until(
            () -> {
              jobs.start();
              return begins.isDone();
            });
  }

  Job job() {
    return jobs.now();
  }

  public LoadTestStatus status(LoadTest test) {
    return cluster.now(test).getStatus();
  }

  /** An attempt that can be cancelled. */
  static final class FakeAttempt implements LoadAttempt {
    final Instant asked = Instant.now();
    volatile boolean cancelled;
    volatile Optional<LoadCounts> earlier = Optional.empty();
    volatile LoadCounts last;

    @Override
    public Instant firstAskedFor() {
      return asked;
    }

    @Override
    public void heartbeat(String message) {
      endIfCancelled();
    }

    @Override
    public void heartbeat(LoadCounts counts) {
      last = counts;
      endIfCancelled();
    }

    private void endIfCancelled() {
      if (cancelled) {
        throw new ActivityCanceledException();
      }
    }

    @Override
    public Optional<LoadCounts> earlierCounts() {
      return earlier;
    }
  }
}
