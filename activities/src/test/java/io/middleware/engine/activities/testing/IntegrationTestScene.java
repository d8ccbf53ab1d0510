package io.middleware.engine.activities.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.objects.ApiResources;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.condition.EndpointPolicy;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.testing.port.CleanUpPlan;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.CleanUpRequest;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBeginning;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundBegun;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.RoundEnd;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.StepRef;
import io.middleware.engine.workflows.testing.port.IntegrationTestActivities.TestEnd;
import io.middleware.engine.workflows.testing.port.TestRef;
import io.temporal.failure.ApplicationFailure;
import java.io.ByteArrayInputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Tests on a real API server, and their account, which has few rights. */
public final class IntegrationTestScene {
  static final String RUN = "run-1";

  final LocalNamespace cluster;
  final KubernetesIntegrationTestActivities activities;
  volatile String currentRun = RUN;
  volatile Runnable atLookup = () -> {};
  private final Map<String, CleanUpPlan> cleanUps = new ConcurrentHashMap<>();
  private int number;

  IntegrationTestScene(LocalNamespace cluster) {
    this(cluster, HttpSources.of(EndpointPolicy.of(List.of(), "")));
  }

  /**
   * @param http what conditions ask over HTTP
   */
  IntegrationTestScene(LocalNamespace cluster, HttpSources http) {
    this.cluster = cluster;
    this.activities =
        new KubernetesIntegrationTestActivities(
            new KubernetesIntegrationTestActivities.Context(
                cluster.client(),
                accounts(cluster),
                test -> {
                  atLookup.run();
                  return currentRun.equals(test.runId());
                },
                message -> {},
                new ChecksMemory() {
                  @Override
                  public Optional<ChecksSeen> earlier() {
                    return Optional.empty();
                  }

                  @Override
                  public void remember(ChecksSeen seen) {}
                },
                http,
                Clock.systemUTC()));
    allow();
  }

  /** A Plugin declares the parameter {@code motto} sensitive. */
  public static TestAccounts accounts(LocalNamespace cluster) {
    return new TestAccounts(
        new ImpersonatedClients(cluster.client(), ""),
        new ApiResources(cluster.client()),
        () -> new SensitiveParameters(Set.of("motto")));
  }

  private void allow() {
    var rights =
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: tester}
        rules:
        - apiGroups: ["", apps, middleware.io]
          resources: [configmaps, secrets, statefulsets, apps]
          verbs: [get, create, patch, delete]
        - apiGroups: [""]
          resources: [pods]
          verbs: [list]
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: tester}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: tester}
        subjects: [{kind: ServiceAccount, name: tester, namespace: %s}]
        """
            .formatted(cluster.namespace());
    cluster
        .client()
        .load(new ByteArrayInputStream(rights.getBytes(UTF_8)))
        .inNamespace(cluster.namespace())
        .create();
  }

  static final String STATEFUL_SET =
      "{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db,"
          + " selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}},"
          + " spec: {containers: [{name: c, image: i}]}}}}";

  static String configMap(String name) {
    return "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {key: value}}"
        .formatted(name);
  }

  /** A pod of {@link #STATEFUL_SET} whose container waits for this reason. */
  void waitingPod(String name, String reason) {
    var pod =
        cluster.create(
            new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(Map.of("a", "b"))
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("c")
                .withImage("i")
                .endContainer()
                .endSpec()
                .build());
    cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .editOrNewStatus()
                    .withPhase("Pending")
                    .addNewContainerStatus()
                    .withName("c")
                    .withImage("i")
                    .withImageID("")
                    .withReady(false)
                    .withRestartCount(0)
                    .withNewState()
                    .withNewWaiting("not found", reason)
                    .endState()
                    .endContainerStatus()
                    .endStatus()
                    .build());
  }

  static ConfigMap data(String name, Map<String, String> data) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withData(data)
        .build();
  }

  IntegrationTest running(String step, Object... manifests) {
    return begun("steps: [{name: up, %s}]".formatted(step.formatted(manifests)));
  }

  IntegrationTest begun(String spec) {
    var test = create(spec);
    assertThat(begin(test).refusal()).isEmpty();
    return test;
  }

  IntegrationTest create(String spec) {
    var yaml =
        """
        apiVersion: test.middleware.io/v1
        kind: IntegrationTest
        metadata: {name: test-%d}
        spec:
          serviceAccountName: tester
        """
            .formatted(++number);
    return cluster.create(
        cluster
            .client()
            .getKubernetesSerialization()
            .unmarshal(yaml + spec.indent(2), IntegrationTest.class));
  }

  RoundBegun begin(IntegrationTest test) {
    var begun = activities.beginRound(beginning(ref(test, RUN), 1));
    begun.plan().ifPresent(plan -> cleanUps.put(test.getMetadata().getUid(), plan.cleanUp()));
    return begun;
  }

  static RoundBeginning beginning(TestRef ref, int round) {
    return new RoundBeginning(ref, round, Instant.now(), Optional.empty(), List.of());
  }

  TestRef ref(IntegrationTest test, String run) {
    var metadata = test.getMetadata();
    return new TestRef(
        "",
        cluster.namespace(),
        metadata.getName(),
        metadata.getUid(),
        "test/%s/%s".formatted(cluster.namespace(), metadata.getName()),
        run);
  }

  StepRef step(IntegrationTest test) {
    return step(test, 30);
  }

  StepRef step(IntegrationTest test, int seconds) {
    var spec = SpecDigest.of(cluster.client(), test.getSpec());
    return new StepRef(ref(test, RUN), spec, 1, "up", Instant.now().plusSeconds(seconds));
  }

  CleanUpRequest cleanUp(IntegrationTest test, String phase, int seconds) {
    return new CleanUpRequest(
        ref(test, RUN),
        phase,
        cleanUps.get(test.getMetadata().getUid()),
        Duration.ofSeconds(seconds));
  }

  static TestEnd end(TestRef ref, String phase) {
    return new TestEnd(
        ref,
        phase,
        "",
        "over",
        Optional.empty(),
        new RoundEnd(1, true, false, Instant.now(), List.of()));
  }

  IntegrationTestStatus status(IntegrationTest test) {
    return cluster.now(test).getStatus();
  }

  ConfigMap find(String name) {
    return cluster.named(ConfigMap.class, name).get();
  }

  String creator(String name) {
    var labels = find(name).getMetadata().getLabels();
    return labels == null ? null : labels.get(Labels.TEST_CREATED_BY);
  }

  /** As {@code kubectl label}. */
  void label(String name, IntegrationTest test) {
    cluster
        .named(ConfigMap.class, name)
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"metadata\": {\"labels\": {\"%s\": \"%s\"}}}"
                .formatted(Labels.TEST_CREATED_BY, test.getMetadata().getUid()));
  }

  void hold(String name) {
    finalizers(name, List.of("shop.io/held"));
  }

  void release(String name) {
    finalizers(name, List.of());
    cluster.await().until(() -> find(name) == null);
  }

  void finalizers(String name, List<String> finalizers) {
    cluster
        .named(ConfigMap.class, name)
        .edit(
            it -> {
              ((HasMetadata) it).getMetadata().setFinalizers(finalizers);
              return it;
            });
  }

  void observe(String name) {
    cluster
        .named(StatefulSet.class, name)
        .subresource("status")
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"status\": {\"observedGeneration\": 1, \"replicas\": 0}}");
  }

  static AbstractThrowableAssert<?, ? extends Throwable> assertFails(
      String reason, ThrowingCallable call) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo(reason));
  }
}
