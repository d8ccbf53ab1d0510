package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.ComponentSpecs;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Of the group g, whose maxmemory the App edits from 1mb to the value given. */
class ReloadDecisionTest {
  private static final Plugin PLUGIN =
      Serialization.unmarshal(
          """
          apiVersion: middleware.io/v1
          kind: Plugin
          spec:
            name: redis
            version: 1.0.0
            agent: {port: 9090}
            componentTypes:
            - name: redis
              parameters:
              - {name: maxmemory, type: string, effect: Hot}
              - {name: databases, type: integer, default: 16}
          """,
          Plugin.class);

  @Test
  void shouldReloadWhatTheTaskChanges() {
    assertThat(isWanted(task(ChangeType.CONFIG), "2mb", "")).isTrue();
    assertThat(isWanted(task(ChangeType.VERSION_UPGRADE), "2mb", "")).isTrue();
    assertThat(isWanted(task(ChangeType.CONFIG), "1mb", "")).isFalse();
  }

  @Test
  void shouldReloadTheSameOnTheWayBack() {
    assertThat(isWanted(task(ChangeType.CONFIG).back(), "2mb", "")).isTrue();
    assertThat(isWanted(task(ChangeType.CONFIG).back(), "1mb", "")).isFalse();
  }

  @Test
  void shouldReloadWhatAnEarlierChangeHasBegunAndNotFinished() {
    assertThat(isWanted(task(ChangeType.CONFIG), "1mb", "Config")).isTrue();
    assertThat(isWanted(task(ChangeType.CONFIG), "1mb", "Storage")).isFalse();
  }

  @Test
  void shouldReloadOnlyWhatAFailedChangeMayHaveChanged() {
    assertThat(isWanted(task(ChangeType.CONFIG), "1mb", begun("1mb", true))).isFalse();
    assertThat(isWanted(task(ChangeType.CONFIG), "2mb", begun("1mb", true))).isTrue();
    assertThat(isWanted(task(ChangeType.CONFIG), "1mb", begun("1mb", false))).isTrue();
  }

  /** The mark of an upgrade that has begun and failed. */
  private static String begun(String maxmemory, boolean keepsHotValues) {
    return UnfinishedChanges.of(component(maxmemory, ""))
        .begun(ChangeType.VERSION_UPGRADE, keepsHotValues)
        .annotations()
        .get("middleware.io/unfinished");
  }

  @Test
  void shouldKnowWhichValuesAreHot() {
    var values = new HotValues((task, group) -> PLUGIN.getSpec());
    var task = task(ChangeType.CONFIG);
    var was = Optional.of(component("1mb", "").getSpec());
    assertThat(values.areEqual(task, was, component("1mb", "").getSpec())).isTrue();
    assertThat(values.areEqual(task, was, component("2mb", "").getSpec())).isFalse();
    assertThat(values.areEqual(task, was, component("1mb, databases: 17", "").getSpec())).isTrue();
    assertThat(values.areEqual(task, Optional.empty(), component("1mb", "").getSpec())).isFalse();
  }

  @Test
  void shouldReloadNothingOnceTheTaskHasEnded() {
    // Given
    var component = component("1mb", "");
    // When
    var reload = new ReloadDecision(app("2mb"), task(ChangeType.CONFIG), component);
    // Then
    assertThat(reload.differs(ComponentSpecs.groupSpec(component.getSpec(), "g"), PLUGIN.getSpec()))
        .isFalse();
  }

  private static boolean isWanted(TaskRef task, String edited, String unfinished) {
    var before = component("1mb", unfinished);
    var opened = component(task.rollback() ? "1mb" : edited, unfinished);
    opened
        .getMetadata()
        .setAnnotations(Undo.before(task, before, List.of(), List.of()).annotations());
    return new ReloadDecision(app(edited), task, opened)
        .differs(ComponentSpecs.groupSpec(opened.getSpec(), "g"), PLUGIN.getSpec());
  }

  private static TaskRef task(ChangeType type) {
    return new TaskRef(new ChangeRef("shop", "cache", "uid", 2, "run"), "2-x-db", type, "db");
  }

  private static App app(String maxmemory) {
    return Serialization.unmarshal(
        """
        apiVersion: middleware.io/v1
        kind: App
        metadata: {name: cache, namespace: shop}
        spec:
          plugin: {name: redis, version: 1.0.0}
          runtime: {name: redis, version: "7.0"}
          components:
          - {name: db, type: redis, values: {maxmemory: %s}, groups: [{name: g, replicas: 3}]}
        """
            .formatted(maxmemory),
        App.class);
  }

  private static Component component(String maxmemory, String unfinished) {
    return Serialization.unmarshal(
        """
        apiVersion: middleware.io/v1
        kind: Component
        metadata:
          name: cache-db
          namespace: shop
          annotations: {middleware.io/unfinished: "%s"}
        spec:
          app: cache
          component: db
          type: redis
          plugin: {name: redis, version: 1.0.0}
          runtime: {name: redis, version: "7.0"}
          state: Running
          values: {maxmemory: %s}
          groups: [{name: g, replicas: 3}]
        """
            .formatted(unfinished, maxmemory),
        Component.class);
  }
}
