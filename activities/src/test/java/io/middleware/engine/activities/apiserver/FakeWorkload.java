package io.middleware.engine.activities.apiserver;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The StatefulSet {@code cache-db-g} and its pods, as its controller would keep them. */
public final class FakeWorkload {
  public static final String NAME = "cache-db-g";
  private static final Map<String, String> SELECTOR = Labels.selector("cache", "db", "g");

  private final LocalNamespace cluster;
  private final AppKey key;
  private final StatefulSet set;

  /** Creates it with a status that says that its pods should have the revision {@code new}. */
  public FakeWorkload(LocalNamespace cluster, int replicas) {
    this.cluster = cluster;
    this.key = new AppKey(cluster.namespace(), "cache");
    this.set = cluster.create(statefulSet(replicas));
    report("new", replicas);
  }

  private FakeWorkload(LocalNamespace cluster, StatefulSet set) {
    this.cluster = cluster;
    this.key = new AppKey(cluster.namespace(), "cache");
    this.set = set;
  }

  /** Of the StatefulSet that the engine has made. */
  public static FakeWorkload made(LocalNamespace cluster) {
    return new FakeWorkload(cluster, cluster.named(StatefulSet.class, NAME).get());
  }

  /** Says that the pods should have this revision. */
  public void report(String revision, int replicas) {
    reportStatus(revision, replicas);
    cluster.awaitSeen(
        () ->
            cluster
                .view()
                .statefulSet(key, NAME)
                .filter(seen -> revision.equals(seen.getStatus().getUpdateRevision()))
                .isPresent());
  }

  public StatefulSet set() {
    return set;
  }

  /** As the engine has applied it. */
  public AppliedStatefulSet applied() {
    var metadata = set.getMetadata();
    return new AppliedStatefulSet(metadata.getName(), metadata.getGeneration(), metadata.getUid());
  }

  /** A pod without a role, as it is named in an order. */
  public static OutdatedPod ordered(Pod pod) {
    return new OutdatedPod(
        pod.getMetadata().getName(), pod.getMetadata().getUid(), Optional.empty());
  }

  /** Removes the pod as somebody else. */
  public void delete(Pod pod) {
    cluster.client().resource(pod).withGracePeriod(0).delete();
    awaitGone(pod);
  }

  public void awaitGone(Pod pod) {
    cluster.await().until(() -> cluster.now(pod) == null);
  }

  private void reportStatus(String revision, int replicas) {
    cluster
        .named(StatefulSet.class, NAME)
        .editStatus(
            it ->
                new StatefulSetBuilder(it)
                    .withNewStatus()
                    .withObservedGeneration(it.getMetadata().getGeneration())
                    .withReplicas(replicas)
                    .withReadyReplicas(replicas)
                    .withUpdateRevision(revision)
                    .endStatus()
                    .build());
  }

  /**
   * Makes the pod of this number, at the address 127.0.0.10 and so on; it is on no node, so a
   * deletion takes effect at once.
   */
  public Pod create(int number, String revision, boolean ready) {
    var pod = cluster.create(pod(number, revision));
    cluster
        .client()
        .resource(pod)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .withNewStatus()
                    .withPhase("Running")
                    .withPodIP("127.0.0.1" + number)
                    .addNewCondition()
                    .withType("Ready")
                    .withStatus(ready ? "True" : "False")
                    .endCondition()
                    .endStatus()
                    .build());
    cluster.awaitSeen(
        () ->
            cluster.view().pods(key).stream()
                .anyMatch(
                    seen ->
                        seen.uid().equals(pod.getMetadata().getUid()) && seen.isReady() == ready));
    return pod;
  }

  /** The pod of this number is not ready any more. */
  public void unready(int number) {
    cluster
        .client()
        .pods()
        .inNamespace(cluster.namespace())
        .withName(NAME + "-" + number)
        .editStatus(
            it ->
                new PodBuilder(it)
                    .editStatus()
                    .editMatchingCondition(condition -> "Ready".equals(condition.getType()))
                    .withStatus("False")
                    .endCondition()
                    .endStatus()
                    .build());
  }

  /** Makes the volume claim of the pod of this number. */
  public PersistentVolumeClaim createClaim(int number) {
    var claim = cluster.create(claim("data-%s-%d".formatted(NAME, number)));
    var uid = claim.getMetadata().getUid();
    cluster.awaitSeen(
        () -> cluster.view().volumes(key).stream().anyMatch(seen -> seen.uid().equals(uid)));
    return claim;
  }

  /** Lets a claim go that is being deleted, as no pod uses it any more. */
  public void release(PersistentVolumeClaim claim) {
    cluster
        .named(PersistentVolumeClaim.class, claim.getMetadata().getName())
        .edit(
            it -> {
              it.getMetadata().setFinalizers(List.of());
              return it;
            });
    cluster.await().until(() -> cluster.now(claim) == null);
  }

  /** A budget of all pods that allows so many disruptions, until it is told otherwise. */
  public PodDisruptionBudget createBudget(int allowed) {
    var budget =
        cluster.create(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withLabels(SELECTOR)
                .endMetadata()
                .withNewSpec()
                .withNewMaxUnavailable(1)
                .withNewSelector()
                .withMatchLabels(SELECTOR)
                .endSelector()
                .endSpec()
                .build());
    allow(budget, allowed);
    return budget;
  }

  public void allow(PodDisruptionBudget budget, int disruptions) {
    cluster
        .named(PodDisruptionBudget.class, budget.getMetadata().getName())
        .editStatus(
            it ->
                new PodDisruptionBudgetBuilder(it)
                    .withNewStatus()
                    .withObservedGeneration(it.getMetadata().getGeneration())
                    .withCurrentHealthy(2)
                    .withDesiredHealthy(1)
                    .withExpectedPods(2)
                    .withDisruptionsAllowed(disruptions)
                    .endStatus()
                    .build());
  }

  private static StatefulSet statefulSet(int replicas) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withName(NAME)
        .withLabels(SELECTOR)
        .addNewOwnerReference()
        .withApiVersion("middleware.io/v1")
        .withKind("Group")
        .withName(NAME)
        .withUid("group")
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withNewSpec()
        .withReplicas(replicas)
        .withServiceName(NAME)
        .withNewSelector()
        .withMatchLabels(SELECTOR)
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(SELECTOR)
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("redis")
        .withImage("redis:7.2")
        .endContainer()
        .endSpec()
        .endTemplate()
        .addToVolumeClaimTemplates(claim("data"))
        .endSpec()
        .build();
  }

  private static PersistentVolumeClaim claim(String name) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .withLabels(SELECTOR)
        .endMetadata()
        .withNewSpec()
        .withAccessModes("ReadWriteOnce")
        .withNewResources()
        .addToRequests("storage", new Quantity("1Gi"))
        .endResources()
        .endSpec()
        .build();
  }

  private Pod pod(int number, String revision) {
    return new PodBuilder()
        .withNewMetadata()
        .withName(NAME + "-" + number)
        .withLabels(SELECTOR)
        .addToLabels("controller-revision-hash", revision)
        .addNewOwnerReference()
        .withApiVersion("apps/v1")
        .withKind("StatefulSet")
        .withName(NAME)
        .withUid(set.getMetadata().getUid())
        .withController(true)
        .endOwnerReference()
        .endMetadata()
        .withSpec(set.getSpec().getTemplate().getSpec())
        .editSpec()
        .addNewVolume()
        .withName("data")
        .withNewPersistentVolumeClaim("data-%s-%d".formatted(NAME, number), false)
        .endVolume()
        .endSpec()
        .build();
  }
}
