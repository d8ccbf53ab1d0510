package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.kubernetes.AppKey;
import io.middleware.engine.activities.kubernetes.ClaimSize;
import io.middleware.engine.activities.kubernetes.ClusterView;
import io.middleware.engine.activities.kubernetes.ClusterWaiter;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.kubernetes.NaturalOrder;
import io.middleware.engine.activities.kubernetes.PauseGate;
import io.middleware.engine.activities.kubernetes.Rollout;
import io.middleware.engine.activities.kubernetes.RunLockFence;
import io.middleware.engine.activities.kubernetes.RunLockWatch;
import io.middleware.engine.activities.kubernetes.Snapshots;
import io.middleware.engine.activities.kubernetes.VolumeState;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.activities.status.AppStatusWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Grows the volumes of one group: of its pods, also of those that are down, and of numbers that it
 * has no pod for at the moment, so that a pod made later finds its volume as large as the others.
 *
 * <ol>
 *   <li>Look which claims there are, past the view, which may be behind.
 *   <li>Ask for more where a claim asks for less and has a volume already.
 *   <li>Wait until all have what is wanted; a claim that gets its volume meanwhile is asked then.
 * </ol>
 */
final class VolumeExpansion {
  private final Cluster cluster;
  private final GroupRef group;
  private final Set<String> asked = new HashSet<>();

  /**
   * @param engine client with the engine's own rights
   */
  record Cluster(
      KubernetesClient engine,
      ImpersonatedClients writers,
      RunLockFence fence,
      Snapshots snapshots,
      ClusterView view,
      ClusterWaiter waiting,
      DesiredGroups groups) {}

  VolumeExpansion(Cluster cluster, GroupRef group) {
    this.cluster = cluster;
    this.group = group;
  }

  void run() {
    var waiting = cluster.waiting();
    var gate = new PauseGate(cluster.fence(), cluster.view(), waiting);
    var app = cluster.snapshots().of(change(), gate.pass(change()));
    var wanted = cluster.groups().volumes(app, group);
    var unseen = new UnseenVolumeClaims(() -> names(wanted));
    var claim = new RunLockWatch(cluster.fence(), cluster.view(), change());
    waiting.until(
        key(),
        () -> {
          claim.look();
          var volumes = cluster.view().volumes(key());
          return lacks(app, wanted, volumes, unseen.after(volumes));
        });
  }

  private Optional<String> lacks(
      App app, List<ClaimSize> wanted, List<VolumeState> volumes, Set<String> unseen) {
    List<String> lacks = new ArrayList<>();
    volumes.stream()
        .filter(volume -> ClusterView.carries(volume.claim(), selector()))
        .filter(volume -> !volume.isTerminating())
        .sorted(Comparator.comparing(VolumeState::name, NaturalOrder.OF_NAMES))
        .forEach(
            volume ->
                size(wanted, volume.name())
                    .flatMap(size -> lacks(app, volume, size))
                    .ifPresent(lacks::add));
    unseen.forEach(name -> lacks.add("claim %s: not seen yet".formatted(name)));
    return Rollout.first(lacks);
  }

  private Optional<String> lacks(App app, VolumeState volume, ClaimSize wanted) {
    if (volume.isBound() && wanted.exceeds(volume.requested()) && asked.add(volume.uid())) {
      ask(app, volume, wanted);
    }
    return volume.missing(wanted.size(), cluster.view().pods(key()));
  }

  private void ask(App app, VolumeState volume, ClaimSize wanted) {
    var patch =
        "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}".formatted(wanted.size());
    var asOurs =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(AppStatusWriter.MANAGER)
            .build();
    Faults.attempt(
        "grow claim %s to %s".formatted(volume.name(), wanted.size()),
        () ->
            cluster
                .writers()
                .of(app)
                .persistentVolumeClaims()
                .inNamespace(change().namespace())
                .withName(volume.name())
                .patch(asOurs, patch));
  }

  /** Of the claims that there are at this moment. */
  private Set<String> names(List<ClaimSize> wanted) {
    var claims =
        Faults.attempt(
            "list claims of group " + group.group(),
            () ->
                cluster
                    .engine()
                    .resources(PersistentVolumeClaim.class)
                    .inNamespace(change().namespace())
                    .withLabels(selector())
                    .list()
                    .getItems());
    var names = new HashSet<String>();
    claims.stream()
        .map(claim -> claim.getMetadata().getName())
        .filter(name -> size(wanted, name).isPresent())
        .forEach(names::add);
    return names;
  }

  private static Optional<ClaimSize> size(List<ClaimSize> wanted, String claim) {
    return wanted.stream().filter(size -> size.isOf(claim)).findFirst();
  }

  private Map<String, String> selector() {
    var task = group.task();
    return Labels.selector(change().app(), task.component(), group.group());
  }

  private ChangeRef change() {
    return group.task().change();
  }

  private AppKey key() {
    return AppKey.of(change());
  }
}
