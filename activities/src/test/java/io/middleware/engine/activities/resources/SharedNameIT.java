package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Parts of two Apps would have the same name. */
@ExtendWith(ApiServer.class)
class SharedNameIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final KubernetesResourceActivities activities;

  SharedNameIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.activities = engine.resources();
  }

  @BeforeEach
  void createPlugin() {
    cluster.createPlugin();
  }

  @Test
  void shouldNotTakeOverTheComponentOfAnotherApp() {
    // Given
    var first = provision("k1-x", "y", "g");
    var before = part(Component.class, "k1-x-y");
    // When
    var task = task("k1", "x-y", "g");
    // Then
    assertRefused(
        () -> activities.openComponent(task),
        "Component k1-x-y belongs to App k1-x and not to App k1");
    assertThat(part(Component.class, "k1-x-y")).isEqualTo(before);
    assertRefused(() -> activities.applyGroup(new GroupRef(task, "g")), "belongs to App k1-x");
    // and when it is removed
    remove(task, "g");
    assertThat(part(Component.class, "k1-x-y")).isEqualTo(before);
    assertThat(part(StatefulSet.class, "k1-x-y-g").isMarkedForDeletion()).isFalse();
    // and its owner still may
    activities.openComponent(first);
  }

  @Test
  void shouldNotTakeOverTheGroupOfAnotherApp() {
    // Given
    provision("k1-x", "y", "g");
    var before = part(Group.class, "k1-x-y-g");
    // When
    var task = task("k1", "x", "y-g");
    activities.openComponent(task);
    // Then
    assertRefused(
        () -> activities.applyGroup(new GroupRef(task, "y-g")),
        "Group k1-x-y-g belongs to App k1-x and not to App k1");
    // and when it is removed
    remove(task, "y-g");
    assertThat(part(Group.class, "k1-x-y-g")).isEqualTo(before);
    assertThat(part(StatefulSet.class, "k1-x-y-g").isMarkedForDeletion()).isFalse();
  }

  @Test
  void shouldLetOneOfTwoHaveTheNameWhenBothBeginTogether() {
    // Given
    var tasks = List.of(task("k1-x", "y", "g"), task("k1", "x-y", "g"));
    // When
    var refusals =
        tasks.stream()
            .map(
                task ->
                    CompletableFuture.supplyAsync(
                        () -> refusalOf(task), Thread::startVirtualThread))
            .toList()
            .stream()
            .flatMap(refusal -> Stream.ofNullable(refusal.join()))
            .toList();
    // Then
    assertThat(refusals).hasSize(1).first().asString().contains("App k1-x", "App k1");
  }

  private String refusalOf(TaskRef task) {
    try {
      activities.openComponent(task);
      activities.applyGroup(new GroupRef(task, "g"));
      return null;
    } catch (ApplicationFailure e) {
      return e.getOriginalMessage();
    }
  }

  private TaskRef provision(String name, String component, String group) {
    var task = task(name, component, group);
    activities.openComponent(task);
    activities.applyGroup(new GroupRef(task, group));
    activities.settleComponent(task);
    return task;
  }

  private TaskRef task(String name, String component, String group) {
    App app =
        cluster.createApp(
            yaml ->
                yaml.replace("name: cache", "name: " + name)
                    .replace("name: db", "name: " + component)
                    .replace("name: g,", "name: " + group + ","));
    return new TaskRef(
        engine.begin(app), "1-provision-" + component, ChangeType.PROVISION, component);
  }

  private void remove(TaskRef task, String group) {
    var removal = new TaskRef(task.change(), "1-remove", ChangeType.REMOVE, task.component());
    var ref = new GroupRef(removal, group);
    activities.removeDrainedGroup(ref);
    activities.releaseGroup(ref);
  }

  private <T extends io.fabric8.kubernetes.api.model.HasMetadata> T part(
      Class<T> kind, String name) {
    return cluster.named(kind, name).get();
  }

  private static void assertRefused(ThrowingCallable step, String message) {
    assertThatThrownBy(step)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("Invalid"))
        .hasMessageContaining(message);
  }
}
