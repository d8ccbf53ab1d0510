package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The component {@code db}, of runtime 7.0 and then 7.2. */
@ExtendWith(ApiServer.class)
class ComponentTransactionIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final LocalWriters writers;
  private final AtomicInteger interruptions = new AtomicInteger();
  private App app;

  ComponentTransactionIT(LocalNamespace cluster) {
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
  void shouldChangeTheSpecAndKeepItsUndoInOneWrite() {
    // Given
    var states = new CopyOnWriteArrayList<String>();
    try (var watch = cluster.named(Component.class, "cache-db").watch(states(states))) {
      cluster.await().until(() -> states.size() == 1);
      // When
      var groups = writers.transaction().begin(upgrade());
      // Then
      assertThat(groups).containsExactly("g");
      cluster.await().until(() -> states.size() == 2);
      assertThat(states)
          .containsExactly(
              "7.0 unfinished= undo=false",
              "7.2 unfinished=HotValuesInForce,VersionUpgrade undo=true");
      // and at the end
      writers.transaction().end(upgrade());
      cluster.await().until(() -> states.size() == 3);
      assertThat(states.getLast()).isEqualTo("7.2 unfinished= undo=false");
    }
  }

  @Test
  void shouldWriteNothingWhenTheTaskBeginsAgain() {
    // Given
    writers.transaction().begin(upgrade());
    var version = component().getMetadata().getResourceVersion();
    // When
    writers.transaction().begin(upgrade());
    // Then
    assertThat(component().getMetadata().getResourceVersion()).isEqualTo(version);
  }

  @Test
  void shouldWriteNothingWhenALateAttemptBeginsATaskThatHasEnded() {
    // Given
    for (var task : List.of(upgrade(), writers.task(app, ChangeType.CONFIG))) {
      writers.transaction().begin(task);
      writers.transaction().end(task);
    }
    var version = component().getMetadata().getResourceVersion();
    // When
    var groups = writers.transaction().begin(upgrade());
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(component().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(state(component())).isEqualTo("7.2 unfinished= undo=false");
  }

  @Test
  void shouldBeginATaskThatHasEndedInAnotherRun() {
    // Given
    var task = upgrade();
    writers.transaction().begin(task);
    writers.transaction().end(task);
    engine.openRun = "run-2";
    var change = cluster.change(app, "run-2");
    engine.lock.acquire(change);
    // When
    writers.transaction().begin(new TaskRef(change, task.id(), task.type(), "db"));
    // Then
    assertThat(state(component()))
        .isEqualTo("7.2 unfinished=HotValuesInForce,VersionUpgrade undo=true");
  }

  /** Somebody has deleted the Component while an upgrade worked on it. */
  @Test
  void shouldFinishAComponentThatAnotherTaskMakesAgain() {
    // Given
    var task = upgrade();
    writers.transaction().begin(task);
    cluster.named(Component.class, "cache-db").delete();
    cluster.await().until(() -> component() == null);
    // When
    writers.transaction().begin(task);
    writers.transaction().end(task);
    // Then
    assertThat(state(component())).isEqualTo("7.2 unfinished= undo=false");
  }

  @Test
  void shouldRestoreWhatWasThereBeforeTheTask() {
    // Given
    var task = upgrade();
    writers.transaction().begin(task);
    var ref = new GroupRef(task, "g");
    writers.write(app, ref);
    // When
    var groups = writers.transaction().begin(task.back());
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(state(component()))
        .isEqualTo("7.0 unfinished=HotValuesInForce,VersionUpgrade undo=true");
    // and at the end
    writers.transaction().end(task.back());
    assertThat(state(component())).isEqualTo("7.0 unfinished= undo=false");
  }

  @Test
  void shouldReadAgainWhenAnotherHasWrittenInBetween() {
    // Given
    var transaction = writers.transaction(interrupted(1, this::label));
    // When
    transaction.begin(upgrade());
    // Then
    assertThat(interruptions).hasValue(2);
    assertThat(component().getMetadata().getLabels()).containsEntry("written", "1");
    assertThat(state(component()))
        .isEqualTo("7.2 unfinished=HotValuesInForce,VersionUpgrade undo=true");
  }

  @Test
  void shouldNotWriteAgainWhenTheRunLockWasLostInBetween() {
    // Given
    var task = upgrade();
    var transaction =
        writers.transaction(
            interrupted(
                1,
                time -> {
                  label(time);
                  engine.openRun = "run-2";
                  engine.lock.acquire(cluster.change(app, "run-2"));
                }));
    // When Then
    assertThatThrownBy(() -> transaction.begin(task))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Superseded"));
    assertThat(state(component())).isEqualTo("7.0 unfinished= undo=false");
  }

  @Test
  void shouldFailForNowWhenOthersWriteAllTheTime() {
    var transaction = writers.transaction(interrupted(100, this::label));
    assertThatThrownBy(() -> transaction.begin(upgrade()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("Conflict");
              assertThat(e.isNonRetryable()).isFalse();
            })
        .hasMessageContaining("Component db is changing too often to be written; retrying");
    assertThat(interruptions).hasValue(8);
  }

  @Test
  void shouldDeleteAComponentThatIsRemoved() {
    // Given
    var other = cluster.createApp(yaml -> yaml.replace("cache", "other").replace("db", "other"));
    var spec = other.getSpec();
    app =
        cluster
            .named(App.class, "cache")
            .edit(
                it -> {
                  it.setSpec(spec);
                  return it;
                });
    var task = writers.task(app, ChangeType.REMOVE);
    // When
    var groups = writers.transaction().begin(task);
    writers.transaction().end(task);
    // Then
    assertThat(groups).containsExactly("g");
    assertThat(component()).isNull();
    assertThat(writers.transaction().begin(task)).isEmpty();
  }

  private TaskRef upgrade() {
    app = cluster.editApp(yaml -> yaml.replace("\"7.0\"", "\"7.2\""));
    return writers.task(app, ChangeType.VERSION_UPGRADE);
  }

  /** Another write between the transaction's read of the Component and its own write. */
  private ClusterView interrupted(int times, IntConsumer interruption) {
    return (ClusterView)
        Proxy.newProxyInstance(
            ClusterView.class.getClassLoader(),
            new Class<?>[] {ClusterView.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("statefulSets")) {
                var time = interruptions.incrementAndGet();
                if (time <= times) {
                  interruption.accept(time);
                }
              }
              try {
                return method.invoke(cluster.view(), arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private void label(int time) {
    cluster
        .named(Component.class, "cache-db")
        .edit(
            component -> {
              component.getMetadata().getLabels().put("written", String.valueOf(time));
              return component;
            });
  }

  private Component component() {
    return cluster.named(Component.class, "cache-db").get();
  }

  private static String state(Component component) {
    var annotations = component.getMetadata().getAnnotations();
    var kept = annotations == null ? Map.<String, String>of() : annotations;
    return "%s unfinished=%s undo=%s"
        .formatted(
            component.getSpec().runtime().version(),
            kept.getOrDefault(Labels.UNFINISHED, ""),
            kept.containsKey(Labels.UNDO));
  }

  private static Watcher<Component> states(List<String> states) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, Component component) {
        states.add(state(component));
      }

      @Override
      public void onClose(WatcherException cause) {}
    };
  }
}
