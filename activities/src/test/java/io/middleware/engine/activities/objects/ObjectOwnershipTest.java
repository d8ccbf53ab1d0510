package io.middleware.engine.activities.objects;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ObjectOwnershipTest {
  private static final Map<String, String> SELECTOR = Labels.selector("cache", "db", "g");

  @Test
  void shouldOwnWhatRefersToItsUid() {
    assertThat(ObjectOwnership.of(group("new"), ownedBy("Group", "cache-db-g", "new")))
        .isEqualTo(ObjectOwnership.OURS);
  }

  @Test
  void shouldDistinguishAnEarlierGroupsObjectFromForeignOnes() {
    var early = ownedBy("Group", "cache-db-g", "old");
    assertThat(ObjectOwnership.of(group("new"), early)).isEqualTo(ObjectOwnership.COLLECTED);
    assertThat(ObjectOwnership.of(group(null), early)).isEqualTo(ObjectOwnership.COLLECTED);
  }

  @Test
  void shouldNotOwnWhatOthersOrNobodyOwns() {
    var nobodys = new ConfigMapBuilder().withNewMetadata().withLabels(SELECTOR).endMetadata();
    assertThat(ObjectOwnership.of(group("new"), nobodys.build()))
        .isEqualTo(ObjectOwnership.FOREIGN);
    assertThat(ObjectOwnership.of(group(null), nobodys.build())).isEqualTo(ObjectOwnership.FOREIGN);
    assertThat(ObjectOwnership.of(group("new"), ownedBy("Group", "cache-db-other", "old")))
        .isEqualTo(ObjectOwnership.FOREIGN);
    assertThat(ObjectOwnership.of(group("new"), ownedBy("Deployment", "cache-db-g", "old")))
        .isEqualTo(ObjectOwnership.FOREIGN);
  }

  /** A tool for backups of a cluster brings objects back without their owners. */
  @Test
  void shouldTakeOverWhatTheEngineHasWrittenForTheGroup() {
    var back =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withLabels(SELECTOR)
            .addToAnnotations(Labels.WRITTEN_BY, "uid/1-provision-db")
            .endMetadata()
            .build();
    assertThat(ObjectOwnership.of(group("new"), back)).isEqualTo(ObjectOwnership.LEFT_BEHIND);
    assertThat(ObjectOwnership.of(group(null), back)).isEqualTo(ObjectOwnership.LEFT_BEHIND);
    var another = Labels.selector("cache", "db", "other");
    var foreign =
        new ConfigMapBuilder(back).editMetadata().withLabels(another).endMetadata().build();
    assertThat(ObjectOwnership.of(group("new"), foreign)).isEqualTo(ObjectOwnership.FOREIGN);
  }

  @Test
  void shouldKnowVolumesByTheirLabels() {
    var other = Labels.selector("cache", "db", "other");
    assertThat(ObjectOwnership.of(group(null), volume(SELECTOR))).isEqualTo(ObjectOwnership.OURS);
    assertThat(ObjectOwnership.of(group("new"), volume(other))).isEqualTo(ObjectOwnership.FOREIGN);
    assertThat(ObjectOwnership.of(group("new"), volume(null))).isEqualTo(ObjectOwnership.FOREIGN);
  }

  @Test
  void shouldSayWhoWritesAndOwnsAnObject() {
    var deployed = ownedBy("Deployment", "web", "old");
    deployed.getMetadata().getManagedFields().add(writtenBy("helm"));
    deployed.getMetadata().getManagedFields().add(writtenBy("kubectl"));
    deployed.getMetadata().getManagedFields().add(writtenBy("helm"));
    assertThat(ObjectOwnership.describe(deployed))
        .isEqualTo("written by helm, kubectl and owned by Deployment web");
    assertThat(ObjectOwnership.describe(volume(null)))
        .isEqualTo("written by an unknown manager and owned by nobody");
  }

  private static ManagedFieldsEntry writtenBy(String manager) {
    return new ManagedFieldsEntryBuilder().withManager(manager).build();
  }

  private static Group group(String uid) {
    var group = new Group();
    group.setMetadata(
        new ObjectMetaBuilder().withName("cache-db-g").withUid(uid).withLabels(SELECTOR).build());
    return group;
  }

  private static ConfigMap ownedBy(String kind, String name, String uid) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .addNewOwnerReference()
        .withKind(kind)
        .withName(name)
        .withUid(uid)
        .endOwnerReference()
        .endMetadata()
        .build();
  }

  private static PersistentVolumeClaim volume(Map<String, String> labels) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .build();
  }
}
