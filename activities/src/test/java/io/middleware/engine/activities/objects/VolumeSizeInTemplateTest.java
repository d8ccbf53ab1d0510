package io.middleware.engine.activities.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.GroupSpec;
import io.middleware.engine.api.NamedVolume;
import io.middleware.engine.api.RunState;
import io.middleware.engine.api.Storage;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import io.middleware.engine.render.guard.RenderedObjects;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class VolumeSizeInTemplateTest {

  @Test
  void shouldNotBeShownWhereOnlyClaimsAskForIt() {
    assertThat(isShown("50Gi", size -> Map.of("template", "a", "volumeClaimTemplates", size)))
        .isFalse();
  }

  @Test
  void shouldBeShownWhereThePodTemplateContainsIt() {
    assertThat(isShown("50Gi", size -> Map.of("template", size))).isTrue();
    assertThat(isShown("1Gi", size -> Map.of("template", size))).isTrue();
  }

  @Test
  void shouldBeShownWhereSmallVolumesHaveOtherPods() {
    assertThat(isShown("50Gi", size -> Map.of("template", size.length() > 3))).isTrue();
  }

  @Test
  void shouldBeTakenForShownWhereOtherSizesCannotBeRendered() {
    assertThat(
            isShown(
                "50Gi",
                size -> {
                  if (!size.equals("50Gi")) {
                    throw Faults.of(FaultKind.INVALID, "too small");
                  }
                  return Map.of("template", "a");
                }))
        .isTrue();
  }

  @Test
  void shouldBeShownWhereThePodTemplateContainsTheSizeOfAnotherVolume() {
    var group = group(null).withVolumes(List.of(new NamedVolume("wal", "50Gi", null)));
    assertThat(isShown(group, it -> Map.of("template", it.volumes().getFirst().size()))).isTrue();
    assertThat(isShown(group, it -> Map.of("template", it.volumes().getFirst().name()))).isFalse();
  }

  @Test
  void shouldNotBeShownWithoutVolumes() {
    assertThat(
            VolumeSizeInTemplate.isShown(
                group(null), new RenderedObjects(List.of()), other -> null))
        .isFalse();
  }

  private static boolean isShown(String size, Function<String, Map<String, Object>> spec) {
    return isShown(group(new Storage(size, null)), group -> spec.apply(group.storage().size()));
  }

  private static boolean isShown(GroupSpec group, Function<GroupSpec, Map<String, Object>> spec) {
    VolumeSizeInTemplate.Renderer renderer =
        other ->
            new RenderedObjects(
                List.of(
                    new RenderedObject(
                        new ObjectKind("apps/v1", "StatefulSet"),
                        "cache-db-g",
                        Map.of("spec", spec.apply(other)))));
    return VolumeSizeInTemplate.isShown(group, renderer.render(group), renderer);
  }

  private static GroupSpec group(Storage storage) {
    return new GroupSpec(
        "cache",
        "db",
        "redis",
        "g",
        null,
        null,
        RunState.RUNNING,
        3,
        null,
        storage,
        null,
        null,
        null,
        null);
  }
}
