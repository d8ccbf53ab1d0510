package io.middleware.engine.watcher.health;

import static io.middleware.engine.watcher.Objects.app;
import static io.middleware.engine.watcher.Objects.component;
import static io.middleware.engine.watcher.Objects.deleted;
import static io.middleware.engine.watcher.Objects.unfinished;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.AppStatusBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.plugin.RuntimeRef;
import java.util.List;
import org.junit.jupiter.api.Test;

class DeployedRuntimeTest {
  private static final List<Component> OLD = List.of(with("nodes", "7.2"), with("sentinel", "7.2"));
  private static final List<Component> MIXED =
      List.of(with("nodes", "7.4"), with("sentinel", "7.2"));

  @Test
  void shouldNameWhatRunsWhateverIsDesired() {
    assertThat(text(wants("7.2", null), OLD, false)).isEqualTo("7.2");
    assertThat(text(wants("9.9", "7.2"), OLD, false)).isEqualTo("7.2");
    assertThat(text(wants("7.4", "7.2 → 7.4"), List.of(with("nodes", "7.4")), false))
        .isEqualTo("7.4");
  }

  @Test
  void shouldNameTheNextOneWhileItChanges() {
    assertThat(text(wants("7.4", "7.2"), OLD, true)).isEqualTo("7.2 → 7.4");
    assertThat(text(wants("7.4", "7.2 → 7.4"), MIXED, true)).isEqualTo("7.2 → 7.4");
    assertThat(text(wants("7.4", "7.2 → 7.4"), List.of(with("nodes", "7.4")), true))
        .isEqualTo("7.2 → 7.4");
    assertThat(text(wants("7.2", "7.2"), OLD, true)).isEqualTo("7.2");
  }

  @Test
  void shouldNameBothWhenTheChangeWasNotCompleted() {
    var stuck = List.of(unfinished(with("nodes", "7.4")));
    assertThat(text(wants("7.4", "7.2 → 7.4"), stuck, false)).isEqualTo("7.2 → 7.4");
    assertThat(text(wants("7.4", "7.2 → 7.4"), MIXED, false)).isEqualTo("7.2, 7.4");
  }

  @Test
  void shouldNameOnlyTheNextOneBeforeAnythingIsDeployed() {
    assertThat(text(wants("7.2", null), List.of(), true)).isEqualTo("→ 7.2");
    assertThat(text(wants("7.2", "→ 7.2"), OLD, true)).isEqualTo("→ 7.2");
    assertThat(text(wants("7.2", null), List.of(), false)).isNull();
  }

  @Test
  void shouldNameNoNextOneWhenTheAppIsDeleted() {
    assertThat(text(deleted(wants("7.4", "7.2 → 7.4")), OLD, true)).isEqualTo("7.2");
  }

  private static String text(App app, List<Component> components, boolean changing) {
    return new DeployedRuntime(app, components, changing).text();
  }

  private static App wants(String desired, String shown) {
    var app = app(8);
    app.setSpec(AppSpecBuilder.builder().runtime(new RuntimeRef("redis", desired)).build());
    app.setStatus(AppStatusBuilder.builder().runtime(shown).build());
    return app;
  }

  private static Component with(String name, String version) {
    var component = component(name, 1);
    component.setSpec(
        new ComponentSpec(
            null,
            null,
            null,
            null,
            new RuntimeRef("redis", version),
            null,
            null,
            null,
            null,
            null));
    return component;
  }
}
