package io.middleware.engine.planning.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.middleware.engine.api.AppSpecBuilder;
import io.middleware.engine.api.ComponentSpec;
import io.middleware.engine.api.ComponentTemplate;
import io.middleware.engine.api.GroupTemplate;
import io.middleware.engine.api.Monitoring;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.Resources;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.plugin.PluginRef;
import io.middleware.engine.api.plugin.RuntimeRef;
import io.middleware.engine.api.task.ChangeType;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ComponentSpecsTest {
  private static final ComponentSpec OLD = component("1", false);
  private static final ComponentSpec NEW = component("2", true);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "VERSION_UPGRADE | plugin runtime values monitoring resources affinity pods groupValues",
        "CONFIG          | values monitoring resources affinity pods groupValues",
        "RESOURCES       | values monitoring resources affinity pods groupValues replicas",
        "STORAGE         | storage volumes",
        "PROVISION       | values monitoring added",
        "REMOVE          | dropped",
        "START           | state",
        "STOP            | state",
      })
  void shouldCarryOnlyWhatTheTypeIsAbout(ChangeType type, String expected) {
    // When
    var carried = ComponentSpecs.carry(OLD, NEW, type);
    // Then
    assertThat(carriedFields(carried)).isEqualTo(new TreeSet<>(Set.of(expected.split(" "))));
  }

  @ParameterizedTest
  @EnumSource(ChangeType.class)
  void shouldChangeNothingWhenCarriedAgain(ChangeType type) {
    // Given
    var once = ComponentSpecs.carry(OLD, NEW, type);
    // When
    var twice = ComponentSpecs.carry(once, NEW, type);
    // Then
    assertThat(twice).isEqualTo(once);
  }

  @Test
  void shouldBeginWithTheWholeComponent() {
    assertThat(ComponentSpecs.carry(null, NEW, ChangeType.PROVISION)).isEqualTo(NEW);
  }

  @Test
  void shouldLeaveAComponentThatGoesAsItIs() {
    assertThat(ComponentSpecs.carry(OLD, null, ChangeType.REMOVE)).isEqualTo(OLD);
  }

  @Test
  void shouldNameTheTypeAfterTheComponentWhenTheAppDoesNotSay() {
    // Given
    var app =
        AppSpecBuilder.builder()
            .plugin(new PluginRef("redis", "1.0.0"))
            .runtime(new RuntimeRef("redis", "7.0"))
            .components(List.of())
            .build();
    // When
    var desired =
        ComponentSpecs.desired(
            "cache", app, new ComponentTemplate("sentinel", null, null, null, null, null));
    // Then
    assertThat(desired.type()).isEqualTo("sentinel");
    assertThat(desired.state()).isEqualTo(RunState.RUNNING);
  }

  @Test
  void shouldPutTheGroupsValuesOverItsComponents() {
    // Given
    var component =
        new ComponentSpec(
            "cache",
            "nodes",
            "redis",
            null,
            null,
            RunState.RUNNING,
            Map.of("a", 1, "b", 1),
            List.of(new GroupTemplate("g", null, null, null, null, Map.of("b", 2))),
            null,
            null);
    // When
    var group = ComponentSpecs.groupSpec(component, "g");
    // Then
    assertThat(group.values()).isEqualTo(Map.of("a", 1, "b", 2));
    assertThat(group.replicas()).isEqualTo(1);
  }

  /** What follows other components waits for them, whoever has given the value before. */
  @ParameterizedTest
  @CsvSource({
    "VERSION_UPGRADE, old, old",
    "RESOURCES,       old, old",
    "CONFIG,          old, new",
    "PROVISION,       old, new",
    "STORAGE,         old, old",
    "STOP,            old, old",
    "REMOVE,          old, old",
    "VERSION_UPGRADE, typed, typed",
    "CONFIG,          typed, new",
  })
  void shouldCarryDerivedValuesWithConfig(ChangeType type, String before, String expected) {
    // Given
    var current =
        before.equals("typed")
            ? OLD.withDerived(Map.of())
            : OLD.withDerived(Map.of("v", before, "gone", 1));
    var desired = NEW.withDerived(Map.of("v", "new"));
    // When
    var carried = ComponentSpecs.carry(current, desired, type);
    // Then
    var value = carried.derived() == null ? OLD.values().get("v") : carried.derived().get("v");
    assertThat(value.toString().replaceAll("^1$", "typed")).isEqualTo(expected);
    assertThat(ComponentSpecs.carry(carried, desired, type)).isEqualTo(carried);
  }

  @Test
  void shouldPreferWhatTheAppSetsToWhatIsDerived() {
    // Given
    var component = OLD.withDerived(Map.of("v", "derived", "x", "derived"));
    // When
    var values = ComponentSpecs.groupSpec(component, "kept").values();
    // Then
    assertThat(values).containsEntry("v", "1").containsEntry("x", "derived");
  }

  @Test
  void shouldNameTheGroupThatIsNotThere() {
    assertThatThrownBy(() -> ComponentSpecs.groupSpec(OLD, "nope"))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("nodes")
        .hasMessageContaining("nope");
  }

  private static ComponentSpec component(String mark, boolean next) {
    return new ComponentSpec(
        "cache",
        "nodes",
        "redis",
        new PluginRef("redis", mark),
        new RuntimeRef("redis", mark),
        next ? RunState.STOPPED : RunState.RUNNING,
        Map.of("v", mark),
        List.of(group("kept", mark), group(next ? "added" : "dropped", mark)),
        new Monitoring(next, 1, "30s"),
        null);
  }

  private static GroupTemplate group(String name, String mark) {
    return new GroupTemplate(
            name,
            Integer.valueOf(mark),
            new Resources(Map.of("cpu", mark), null),
            new Storage(mark, null),
            Map.of("x", mark),
            Map.of("w", mark))
        .withVolumes(List.of(new NamedVolume("wal", mark, null)))
        .withPodLabels(Map.of("team", mark));
  }

  private static Set<String> carriedFields(ComponentSpec carried) {
    var kept = ComponentSpecs.byName(carried).get("kept");
    var before = ComponentSpecs.byName(OLD).get("kept");
    var names = ComponentSpecs.byName(carried).keySet();
    Set<String> fields = new TreeSet<>();
    note(fields, "plugin", !carried.plugin().equals(OLD.plugin()));
    note(fields, "runtime", !carried.runtime().equals(OLD.runtime()));
    note(fields, "state", !carried.state().equals(OLD.state()));
    note(fields, "values", !carried.values().equals(OLD.values()));
    note(fields, "monitoring", !carried.monitoring().equals(OLD.monitoring()));
    note(fields, "resources", !kept.resources().equals(before.resources()));
    note(fields, "affinity", !kept.affinity().equals(before.affinity()));
    note(fields, "pods", !kept.pods().equals(before.pods()));
    note(fields, "groupValues", !kept.values().equals(before.values()));
    note(fields, "replicas", !kept.replicas().equals(before.replicas()));
    note(fields, "storage", !kept.storage().equals(before.storage()));
    note(fields, "volumes", !kept.volumes().equals(before.volumes()));
    note(fields, "added", names.contains("added"));
    note(fields, "dropped", !names.contains("dropped"));
    return fields;
  }

  private static void note(Set<String> fields, String field, boolean carried) {
    if (carried) {
      fields.add(field);
    }
  }
}
