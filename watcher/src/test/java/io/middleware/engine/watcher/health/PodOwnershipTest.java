package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.GroupStatusBuilder;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.RunState;
import io.middleware.engine.watcher.Objects;
import io.middleware.engine.watcher.cache.PartCacheTransforms;
import io.middleware.engine.watcher.cache.PodCacheTransform;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All pods here carry the labels of the group. */
class PodOwnershipTest {

  @ParameterizedTest
  @CsvSource({
    "db-0, StatefulSet, db, true",
    "db-0, StatefulSet, other, false",
    "proxy-77-x, ReplicaSet, proxy-77, true",
    "proxy-88-x, ReplicaSet, proxy-88, false",
    "db-0, ReplicaSet, db, false",
    "db-backup-x, Job, db-backup, false",
    "db-0, DaemonSet, db, false",
    "db-0, , , true",
    "stranger, , , false"
  })
  void shouldCountWhatTheGroupsWorkloadsMade(String name, String kind, String owner, boolean is) {
    assertThat(
            PodOwnership.isOf(group("StatefulSet db", "Deployment proxy"), pod(name, kind, owner)))
        .isEqualTo(is);
  }

  @ParameterizedTest
  @CsvSource({
    "db-0, StatefulSet, other, true",
    "x, , , true",
    "db-backup-x, Job, db-backup, false"
  })
  void shouldGoByLabelsAsLongAsNoWorkloadIsKnown(
      String name, String kind, String owner, boolean is) {
    assertThat(PodOwnership.isOf(group(), pod(name, kind, owner))).isEqualTo(is);
  }

  private static Group group(String... workloads) {
    var inventory = new ArrayList<InventoryItem>();
    inventory.add(new InventoryItem("v1", "ConfigMap", "config"));
    for (var workload : workloads) {
      var words = workload.split(" ", 2);
      inventory.add(new InventoryItem("apps/v1", words[0], words[1]));
    }
    var group = Objects.group("nodes", "shard-0", 3, RunState.RUNNING);
    group.setStatus(
        GroupStatusBuilder.builder()
            .observedGeneration(1L)
            .nodes(List.of())
            .inventory(inventory)
            .conditions(List.of())
            .build());
    PartCacheTransforms.reduce(group);
    return group;
  }

  private static Pod pod(String name, String kind, String owner) {
    var pod = Objects.pod("nodes", "shard-0", name).editMetadata();
    pod.addToLabels("pod-template-hash", "77");
    if (kind != null) {
      pod.addNewOwnerReference()
          .withKind(kind)
          .withName(owner)
          .withController(true)
          .endOwnerReference();
    }
    var made = pod.endMetadata().build();
    PodCacheTransform.reduce(made);
    return made;
  }
}
