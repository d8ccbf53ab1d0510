package io.middleware.engine.activities.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UnfinishedChangesTest {

  @Test
  void shouldAddAndTakeAwayTypes() {
    var two = UnfinishedChanges.none().with(ChangeType.RESOURCES).with(ChangeType.PROVISION);
    assertThat(two.annotations()).isEqualTo(Map.of(Labels.UNFINISHED, "Provision,Resources"));
    assertThat(two.with(ChangeType.PROVISION)).isEqualTo(two);
    assertThat(two.without(ChangeType.RESOURCES).without(ChangeType.PROVISION).annotations())
        .isEmpty();
  }

  @Test
  void shouldTakeBackAStopThatIsFollowedByAStart() {
    var stop = UnfinishedChanges.none().with(ChangeType.CONFIG).with(ChangeType.STOP);
    var start = stop.with(ChangeType.START);
    assertThat(start.annotations()).isEqualTo(Map.of(Labels.UNFINISHED, "Config,Start"));
    assertThat(start.with(ChangeType.STOP)).isEqualTo(stop);
  }

  @Test
  void shouldKnowThatNoHotValueIsInDoubt() {
    var upgrade = UnfinishedChanges.none().begun(ChangeType.VERSION_UPGRADE, true);
    assertThat(upgrade.types()).containsExactly("HotValuesInForce", "VersionUpgrade");
    assertThat(upgrade.begun(ChangeType.CONFIG, false).types())
        .containsExactly("Config", "VersionUpgrade");
    assertThat(upgrade.begun(ChangeType.CONFIG, false).begun(ChangeType.CONFIG, true).types())
        .containsExactly("Config", "VersionUpgrade");
    assertThat(upgrade.without(ChangeType.VERSION_UPGRADE).types()).isEmpty();
    assertThat(UnfinishedChanges.none().begun(ChangeType.STORAGE, true).types())
        .containsExactly("Storage");
  }

  @Test
  void shouldReadWhatItHasWritten() {
    var types = UnfinishedChanges.none().with(ChangeType.CONFIG).with(ChangeType.STOP);
    var component = new Component();
    component.setMetadata(new ObjectMetaBuilder().withAnnotations(types.annotations()).build());
    assertThat(UnfinishedChanges.of(component)).isEqualTo(types);
    component.setMetadata(new ObjectMetaBuilder().build());
    assertThat(UnfinishedChanges.of(component)).isEqualTo(UnfinishedChanges.none());
  }
}
