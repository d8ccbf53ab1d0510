package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.middleware.engine.api.Labels;

/** Objects of the App shop/cache, component db, group g. */
public final class SampleObjects {
  public static final AppKey KEY = new AppKey("shop", "cache");

  private SampleObjects() {}

  /** A StatefulSet {@code db} whose pods should have revision {@code new}. */
  public static StatefulSet set(int replicas, long generation) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withNamespace("shop")
        .withName("db")
        .withUid("set-uid")
        .withGeneration(generation)
        .withLabels(Labels.selector("cache", "db", "g"))
        .addNewOwnerReference()
        .withApiVersion("middleware.io/v1")
        .withKind("Group")
        .withName("cache-db-g")
        .withUid("group-uid")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(generation)
        .withUpdateRevision("new")
        .withReadyReplicas(replicas)
        .endStatus()
        .build();
  }

  /** A ready pod that the StatefulSet has made. */
  public static PodState ready(String name, String revision) {
    return new PodState(pod(name, revision, "True").build());
  }

  /** The same at an address of its own. */
  public static PodState readyAt(String name, String revision, String ip) {
    return new PodState(pod(name, revision, "True").editStatus().withPodIP(ip).endStatus().build());
  }

  public static PodState unready(String name, String revision) {
    return new PodState(pod(name, revision, "False").build());
  }

  /** The bound claim of a volume that has this size, and asks for no more. */
  public static VolumeState volume(String name, String size) {
    return new VolumeState(
        new PersistentVolumeClaimBuilder()
            .withNewMetadata()
            .withNamespace("shop")
            .withName(name)
            .withUid("uid-of-" + name)
            .withLabels(Labels.selector("cache", "db", "g"))
            .endMetadata()
            .withNewSpec()
            .withNewResources()
            .addToRequests("storage", new Quantity(size))
            .endResources()
            .endSpec()
            .withNewStatus()
            .withPhase("Bound")
            .addToCapacity("storage", new Quantity(size))
            .endStatus()
            .build());
  }

  static PodBuilder pod(String name, String revision, String ready) {
    return new PodBuilder()
        .withNewMetadata()
        .withNamespace("shop")
        .withName(name)
        .withUid("uid-of-" + name)
        .withLabels(Labels.selector("cache", "db", "g"))
        .addToLabels("controller-revision-hash", revision)
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName("db")
        .withUid("set-uid")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewStatus()
        .withPhase("Running")
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .endCondition()
        .endStatus();
  }
}
