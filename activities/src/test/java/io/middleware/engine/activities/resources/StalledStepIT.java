package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A step stalls between its reads and its writes; meanwhile others write. */
@ExtendWith(ApiServer.class)
class StalledStepIT {
  private static final String NAME = "cache-db-g";

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private App app;

  StalledStepIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.writers = new LocalWriters(engine);
  }

  @BeforeEach
  void provision() {
    cluster.createPlugin();
    app = cluster.createApp();
    writers.carryOut(app, ChangeType.PROVISION);
  }

  @Test
  void shouldNotWriteAfterANewerRunThatStartedBetweenReadAndFence() {
    // Given
    var ref = upgrade();
    // When
    var activities = engine.resources(stalledAtTheStatefulSet(() -> anotherRunWrites(ref)));
    assertSuperseded(() -> activities.applyGroup(ref));
    // Then
    assertThat(image()).isEqualTo("redis:7.0");
    assertThat(group().getSpec().runtime().version()).isEqualTo("7.0");
  }

  @Test
  void shouldNotWriteAStatefulSetThatANewerRunHasWritten() {
    // Given
    var ref = upgrade();
    var desired = writers.desired(app, ref);
    var seen = writers.check(app, ref, writers.apply(ref, desired.group()));
    // When
    anotherRunWrites(ref);
    // Then
    assertSuperseded(() -> writers.write(app, ref, desired, seen));
    assertThat(image()).isEqualTo("redis:7.0");
  }

  @Test
  void shouldNotWriteAfterARollbackThatHasFoundEverythingInPlace() {
    // Given
    var ref = upgrade();
    var desired = writers.desired(app, ref);
    var seen = writers.check(app, ref, group());
    // When
    var back = new GroupRef(ref.task().back(), "g");
    writers.transaction().begin(back.task());
    writers.write(app, back);
    // Then
    assertRepeated(() -> writers.write(app, ref, desired, seen));
    assertThat(image()).isEqualTo("redis:7.0");
  }

  @Test
  void shouldNotWriteAGroupThatANewerRunHasWritten() {
    // Given
    var ref = upgrade();
    var desired = writers.desired(app, ref).group();
    var seen = engine.objects.group(ref.task(), "g");
    // When
    anotherRunWrites(ref);
    labelGroup();
    // Then
    assertSuperseded(() -> engine.objects.apply(desired, seen, false, writers.fence(ref)));
    assertThat(group().getSpec().runtime().version()).isEqualTo("7.0");
  }

  @Test
  void shouldRepeatTheStepWhenSomebodyElseHasWrittenTheSpec() {
    // Given
    var ref = upgrade();
    var desired = writers.desired(app, ref);
    var seen = writers.check(app, ref, writers.apply(ref, desired.group()));
    // When
    edit();
    // Then
    assertRepeated(() -> writers.write(app, ref, desired, seen));
    // and then
    writers.write(app, ref, desired, writers.check(app, ref, group()));
    assertThat(image()).isEqualTo("redis:7.2");
  }

  @Test
  void shouldNotTakeOverWhatSomebodyHasCreatedSinceItLooked() {
    // Given
    cluster.named(ConfigMap.class, NAME + "-config").delete();
    var ref = upgrade();
    var desired = writers.desired(app, ref);
    var seen = writers.check(app, ref, writers.apply(ref, desired.group()));
    // When
    cluster.create(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(NAME + "-config")
            .endMetadata()
            .withData(Map.of("mine", "untouched"))
            .build());
    // Then
    assertRepeated(() -> writers.write(app, ref, desired, seen));
    assertThat(cluster.named(ConfigMap.class, NAME + "-config").get().getData())
        .isEqualTo(Map.of("mine", "untouched"));
  }

  @Test
  void shouldNotMakeAStatefulSetAgainThatANewerRunHasDeleted() {
    // Given
    var ref = upgrade();
    var desired = writers.desired(app, ref);
    var seen = writers.check(app, ref, writers.apply(ref, desired.group()));
    // When
    lockForAnotherRun();
    cluster.named(StatefulSet.class, NAME).delete();
    // Then
    assertSuperseded(() -> writers.write(app, ref, desired, seen));
    assertThat(cluster.named(StatefulSet.class, NAME).get()).isNull();
  }

  @Test
  void shouldNotDeleteWhatANewerRunHasWritten() {
    // Given
    var ref = upgrade();
    var found = writers.findToRemove(app, group());
    // When
    anotherRunWrites(ref);
    // Then
    assertSuperseded(() -> writers.groups.remove(app, found, writers.fence(ref)));
    assertThat(image()).isEqualTo("redis:7.0");
  }

  @Test
  void shouldWriteAStatefulSetWhoseStatusChangesAllTheTime() throws InterruptedException {
    // Given
    var isDone = new AtomicBoolean();
    var busy = Thread.startVirtualThread(() -> changeStatusUntil(isDone));
    // When
    for (int replicas = 3; replicas < 13; replicas++) {
      var number = String.valueOf(replicas);
      app = cluster.editApp(yaml -> yaml.replace("replicas: 2", "replicas: " + number));
      writers.carryOut(app, ChangeType.RESOURCES);
    }
    isDone.set(true);
    busy.join();
    // Then
    assertThat(set().getSpec().getReplicas()).isEqualTo(12);
  }

  private GroupRef upgrade() {
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    return writers.open(app, ChangeType.VERSION_UPGRADE);
  }

  private void anotherRunWrites(GroupRef ref) {
    lockForAnotherRun();
    edit();
    assertThat(ref.task().change().runId()).isEqualTo("run-1");
  }

  private void lockForAnotherRun() {
    engine.openRun = "run-2";
    engine.lock.acquire(cluster.change(app, "run-2"));
  }

  /** Writes a field of the spec that the engine does not own. */
  private void edit() {
    cluster
        .named(StatefulSet.class, NAME)
        .edit(it -> new StatefulSetBuilder(it).editSpec().withMinReadySeconds(7).endSpec().build());
  }

  private void labelGroup() {
    cluster
        .named(Group.class, NAME)
        .edit(
            it -> {
              it.getMetadata().getLabels().put("written", "1");
              return it;
            });
  }

  private void changeStatusUntil(AtomicBoolean isDone) {
    for (int i = 0; !isDone.get(); i++) {
      cluster
          .named(StatefulSet.class, NAME)
          .subresource("status")
          .patch(
              PatchContext.of(PatchType.JSON_MERGE),
              "{\"status\":{\"replicas\":%d}}".formatted(i % 2));
      pause();
    }
  }

  /** The controller manager itself is limited to 20 writes a second. */
  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Stalls where the step looks for pods to drain: after its reads, before its writes. */
  private ClusterView stalledAtTheStatefulSet(Runnable meanwhile) {
    return (ClusterView)
        Proxy.newProxyInstance(
            ClusterView.class.getClassLoader(),
            new Class<?>[] {ClusterView.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("statefulSet")) {
                meanwhile.run();
              }
              try {
                return method.invoke(cluster.view(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private Group group() {
    return cluster.named(Group.class, NAME).get();
  }

  private StatefulSet set() {
    return cluster.named(StatefulSet.class, NAME).get();
  }

  private String image() {
    return set().getSpec().getTemplate().getSpec().getContainers().getFirst().getImage();
  }

  private static void assertSuperseded(ThrowingCallable step) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"));
  }

  private static void assertRepeated(ThrowingCallable step) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("Unavailable");
              assertThat(e.isNonRetryable()).isFalse();
            })
        .hasMessageContaining("the step is repeated");
  }
}
