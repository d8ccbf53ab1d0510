package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.plugin.Orders;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class TaskStagesTest {

  static Stream<Arguments> orders() {
    return Stream.of(
        Arguments.of(null, "a+b+c+d"),
        Arguments.of(List.of(), "a+b+c+d"),
        Arguments.of(List.of("c", "a", "b", "d"), "c a b d"),
        Arguments.of(List.of("a", List.of("b", "c"), "d"), "a b+c d"),
        Arguments.of(List.of("b", "unknown", "a"), "b a c+d"),
        Arguments.of(List.of(List.of("unknown"), List.of("d", "unknown")), "d a+b+c"),
        Arguments.of(List.of("a", "a", List.of("a", "b")), "a b c+d"));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void shouldFollowTheOrderOfComponents(List<Object> order, String expected) {
    // Given
    var stages = new TaskStages(plugin(new Orders(null, null, order, null), null));
    // When
    var staged = stages.of(changes(ChangeType.CONFIG, "a", "b", "c", "d"));
    // Then
    assertThat(shown(staged)).isEqualTo(expected);
  }

  @Test
  void shouldDoOneTypeAfterTheOther() {
    // Given
    var changes =
        Arrays.stream(ChangeType.values())
            .flatMap(type -> changes(type, type.label()).stream())
            .toList();
    // When
    var staged = new TaskStages(plugin(null, null)).of(changes);
    // Then
    assertThat(shown(staged))
        .isEqualTo(
            "Backup Stop VersionUpgrade Storage Config Resources Restart Reapply Switchover Rebuild RotateSecrets Action Start Provision Remove");
  }

  @Test
  void shouldChangeWhatFollowsOthersBetweenNewGroupsAndRemovals() {
    // Given
    var changes =
        Stream.of(ChangeType.REMOVE, ChangeType.PROVISION, ChangeType.CONFIG, ChangeType.START)
            .flatMap(type -> changes(type, "redis", "sentinel").stream())
            .map(it -> new PlannedChange(it.component(), it.type(), it.type().label()))
            .toList();
    // When
    var staged = new TaskStages(plugin(null, null)).of(changes, Set.of("sentinel"));
    // Then
    assertThat(
            staged.stream()
                .flatMap(List::stream)
                .map(it -> it.description() + " " + it.component()))
        .containsExactly(
            "Config redis",
            "Start redis",
            "Start sentinel",
            "Provision redis",
            "Config sentinel",
            "Provision sentinel",
            "Remove redis",
            "Remove sentinel");
  }

  @Test
  void shouldFollowThePluginsOrderOfTypesAsFarAsItGoes() {
    // Given
    var changes =
        ChangeType.DEFAULT_ORDER.stream()
            .flatMap(type -> changes(type, type.label()).stream())
            .toList();
    // When
    var staged = new TaskStages(plugin(null, List.of("Resources", "Config"))).of(changes);
    // Then
    assertThat(shown(staged)).isEqualTo("Resources Config VersionUpgrade Storage");
  }

  private static PluginSpec plugin(Orders orders, List<String> taskOrder) {
    return new PluginSpec(
        "redis", "1.0.0", null, orders, null, taskOrder, null, null, null, null, null, null);
  }

  private static List<PlannedChange> changes(ChangeType type, String... components) {
    return Stream.of(components).map(name -> new PlannedChange(name, type, "")).toList();
  }

  private static String shown(List<List<PlannedChange>> stages) {
    return stages.stream()
        .map(stage -> stage.stream().map(PlannedChange::component).collect(Collectors.joining("+")))
        .collect(Collectors.joining(" "));
  }
}
