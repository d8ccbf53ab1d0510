package io.middleware.engine.watcher;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.change;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.status;
import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.UsedComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The App {@code watch} uses the App {@code cache}. */
class UsesOfAppsTest {
  private final CachedApps cached = new CachedApps();
  private final List<String> reconciled = new ArrayList<>();
  private final UsesOfApps uses = new UsesOfApps(id -> reconciled.add(id.getName()));

  @BeforeEach
  void begin() {
    uses.sources(new EventSourceContext<>(cached, null, null, App.class));
  }

  @Test
  void shouldPlanAgainWhenTheSameGenerationSucceedsThatWasRejectedFirst() {
    // Given
    var watch = watch("Succeeded", 6L);
    reconcile(watch);
    // When
    reconcile(cache(7, "Rejected"));
    // Then
    assertThat(reconciled).isEmpty();
    // When the Secret is there that it lacked
    reconcile(cache(7, "Succeeded"));
    // Then
    assertThat(reconciled).containsExactly("watch");
    // When
    reconcile(watch("Succeeded", 7L));
    reconciled.clear();
    reconcile(cache(7, "Succeeded"));
    // Then
    assertThat(reconciled).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Rejected", "Failed", "Cancelled"})
  void shouldLeaveAUserAloneWhoseOwnChangeHasNotSucceeded(String outcome) {
    // Given
    reconcile(watch(outcome, 6L));
    // When
    reconcile(cache(7, "Succeeded"));
    // Then
    assertThat(reconciled).isEmpty();
  }

  @Test
  void shouldNotReconcileAnAppBecauseItUsesItself() {
    // When
    reconcile(using("cache", cache(7, "Succeeded")));
    // Then
    assertThat(reconciled).isEmpty();
  }

  @Test
  void shouldDeleteAnAppWhenTheLastOneThatUsesItLetsGo() {
    // Given
    reconcile(watch("Succeeded", 6L));
    var deleted = deleted(cache(7, "Rejected"));
    reconcile(deleted);
    assertThat(uses.hold(deleted)).isTrue();
    // When
    reconcile(watch("Succeeded", 6L));
    // Then
    assertThat(reconciled).isEmpty();
    // When
    reconcile(deleted(watch("Succeeded", 6L)));
    // Then
    assertThat(uses.hold(deleted)).isFalse();
    assertThat(reconciled).containsExactly("cache");
    // When
    reconcile(deleted);
    // Then
    assertThat(reconciled).hasSize(1);
  }

  private void reconcile(App app) {
    cached.put(app);
    uses.observed(app);
  }

  private static App watch(String outcome, long used) {
    var status = status(3L, 3L, change(3, outcome)).withUsedGenerations(Map.of("cache", used));
    return using("cache", named("watch", app(3, status)));
  }

  private static App cache(long generation, String outcome) {
    return app(generation, status(generation, generation, change(generation, outcome)));
  }

  private static App named(String name, App app) {
    app.getMetadata().setName(name);
    app.getMetadata().setUid("uid-" + name);
    return app;
  }

  private static App using(String name, App app) {
    app.setSpec(AppSpecBuilder.builder().uses(List.of(new UsedComponent(name, "db"))).build());
    return app;
  }
}
