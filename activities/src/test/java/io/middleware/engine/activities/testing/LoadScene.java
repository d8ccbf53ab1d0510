package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.middleware.engine.activities.apiserver.TestCluster;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.workflows.testing.port.LoadRef;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadCounts;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadRun;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadTargetFound;
import io.middleware.engine.workflows.testing.port.LoadTestActivities.LoadWork;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.client.ActivityCanceledException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The LoadTest {@code benchmark} on the ConfigMap {@code target}, with one Job as workload. */
final class LoadScene {
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

  final TestCluster cluster;
  final FakeAttempt attempt = new FakeAttempt();
  private final InstantSource clock = InstantSource.system();

  LoadScene(TestCluster cluster) {
    this.cluster = cluster;
  }

  /** Activities of a run that is the current one of its workflow. */
  KubernetesLoadTestActivities activities() {
    return new KubernetesLoadTestActivities(
        cluster.client(),
        new ImpersonatedClients(cluster.client(), ""),
        test -> true,
        attempt,
        clock);
  }

  /** What the account of the test may do. */
  void allow() {
    cluster.create(
        new RoleBuilder()
            .withNewMetadata()
            .withName("tester")
            .endMetadata()
            .addNewRule()
            .withApiGroups("", "batch")
            .withResources("configmaps", "jobs", "pods")
            .withVerbs("get", "list", "create", "patch", "delete")
            .endRule()
            .build());
    cluster.create(
        new RoleBindingBuilder()
            .withNewMetadata()
            .withName("tester")
            .endMetadata()
            .withNewRoleRef("rbac.authorization.k8s.io", "Role", "tester")
            .addNewSubject()
            .withKind("ServiceAccount")
            .withName("tester")
            .withNamespace(cluster.namespace())
            .endSubject()
            .build());
  }

  /** The LoadTest, edited. */
  LoadTest create(UnaryOperator<String> edit) {
    return cluster.create(
        cluster.client().getKubernetesSerialization().unmarshal(edit.apply(TEST), LoadTest.class));
  }

  LoadTest create() {
    return create(UnaryOperator.identity());
  }

  ConfigMap createTarget(String name, Map<String, String> labels) {
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
  LoadRun begin(LoadTest test) {
    return begin(load(test));
  }

  LoadRun begin(LoadRef load) {
    activities().beginLoad(load);
    var begun = activities().createWorkload(new LoadWork(load, target()));
    return new LoadRun(load, target(), begun);
  }

  Job job() {
    return cluster.named(Job.class, "bench").get();
  }

  /** Says that the Job has ended, as its controller would. */
  void endJob(String type, String reason) {
    var now = "2026-01-01T00:00:00Z";
    var completed = type.equals("Complete");
    cluster
        .client()
        .resource(job())
        .editStatus(
            it ->
                new JobBuilder(it)
                    .withNewStatus()
                    .withStartTime(now)
                    .withCompletionTime(completed ? now : null)
                    .addNewCondition()
                    .withType(completed ? "SuccessCriteriaMet" : "FailureTarget")
                    .withStatus("True")
                    .endCondition()
                    .addNewCondition()
                    .withType(type)
                    .withStatus("True")
                    .withReason(reason)
                    .endCondition()
                    .endStatus()
                    .build());
  }

  void createPod(int code, String words) {
    var job = job();
    var pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName("bench-x")
                .addToLabels("batch.kubernetes.io/job-name", "bench")
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName("bench")
                .withUid(job.getMetadata().getUid())
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .withSpec(job.getSpec().getTemplate().getSpec())
                .build());
    cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .withNewStatus()
                    .withPhase("Failed")
                    .addNewContainerStatus()
                    .withName("bench")
                    .withImage("redis:7.2")
                    .withImageID("")
                    .withReady(false)
                    .withRestartCount(0)
                    .withNewState()
                    .withNewTerminated()
                    .withExitCode(code)
                    .withReason("Error")
                    .withMessage(words)
                    .endTerminated()
                    .endState()
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }

  LoadTestStatus status(LoadTest test) {
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
