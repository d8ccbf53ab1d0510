package io.middleware.engine.activities.volumes;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.resources.DesiredGroups;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.VolumeClaimSize;
import io.middleware.engine.cluster.VolumeState;
import io.middleware.engine.cluster.runlock.PauseGate;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Expands the volumes of one group: also those of pods that are down, and those of numbers without
 * a pod at the moment, so that a pod created later finds its volume as large as the others.
 *
 * <ol>
 *   <li>List the volume claims on the API server, because the view may be behind.
 *   <li>Request the desired size for each claim that is bound and requests less, or requests more
 *       than it has got so far: that takes back an expansion that cannot be had.
 *   <li>Wait until all that have a volume have the desired size. A claim that becomes bound
 *       meanwhile is handled as in 2. Those of pods above the group's number, which were scaled
 *       away, are not waited for: their volumes may only grow while a pod uses them, or not at all.
 * </ol>
 *
 * <p>A claim without a volume cannot grow. It is made anew when the group is written.
 */
final class VolumeExpansion {
  private static final Logger LOG = LoggerFactory.getLogger(VolumeExpansion.class);

  private final ExpansionContext context;
  private final GroupRef group;
  private final Set<String> requested = new HashSet<>();

  /**
   * @param engine client with the engine's own rights
   */
  record ExpansionContext(
      KubernetesClient engine,
      ImpersonatedClients writers,
      PauseGate gate,
      ClusterView view,
      ClusterWaiter waiter,
      DesiredGroups groups) {}

  VolumeExpansion(ExpansionContext context, GroupRef group) {
    this.context = context;
    this.group = group;
  }

  void run() {
    var app = context.gate().passWithSpec(change());
    var desired = context.groups().volumes(app, group);
    var unseen = new UnseenVolumeClaims(() -> liveNames(desired));
    var runLock = context.gate().watch(change());
    Supplier<Optional<String>> missing =
        () -> {
          var volumes = context.view().volumes(key());
          return missing(app, desired, volumes, unseen.notIn(volumes));
        };
    context.waiter().until(key(), runLock.guard(missing));
  }

  private Optional<String> missing(
      App app, List<VolumeClaimSize> desired, List<VolumeState> volumes, Set<String> unseen) {
    List<String> missing = new ArrayList<>();
    volumes.stream()
        .filter(volume -> ClusterView.carries(volume.claim(), selector()))
        .filter(volume -> volume.hasVolume() && !volume.isTerminating())
        .sorted(Comparator.comparing(VolumeState::name, NaturalOrder.OF_NAMES))
        .forEach(
            volume ->
                size(desired, volume.name())
                    .flatMap(size -> missing(app, volume, size))
                    .ifPresent(missing::add));
    unseen.forEach(name -> missing.add("volume claim %s: not observed yet".formatted(name)));
    return Rollout.firstFew(missing);
  }

  private Optional<String> missing(App app, VolumeState volume, VolumeClaimSize desired) {
    var isAwaited = isAwaited(volume, desired);
    if (volume.canAskFor(desired.size()) && requested.add(volume.uid())) {
      request(app, volume, desired, isAwaited);
    }
    return isAwaited
        ? volume.missing(desired.size(), context.view().pods(key()))
        : Optional.empty();
  }

  /** Of a group without pods all are: any of them may be used next. */
  private boolean isAwaited(VolumeState volume, VolumeClaimSize desired) {
    return context
        .view()
        .statefulSet(key(), group.task().component(), group.group())
        .filter(set -> desired.numbered() && Rollout.replicas(set) > 0)
        .map(set -> Rollout.podNames(set, Rollout.replicas(set)).stream())
        .map(pods -> pods.anyMatch(pod -> volume.name().endsWith("-" + pod)))
        .orElse(true);
  }

  private void request(App app, VolumeState volume, VolumeClaimSize desired, boolean isAwaited) {
    try {
      request(app, volume, desired);
    } catch (ApplicationFailure e) {
      if (isAwaited || !e.isNonRetryable()) {
        throw e;
      }
      LOG.atWarn()
          .setCause(e)
          .addKeyValue("claim", volume.name())
          .log("a volume claim of a pod that was scaled away keeps its size");
    }
  }

  private void request(App app, VolumeState volume, VolumeClaimSize desired) {
    var patch =
        "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"%s\"}}}}".formatted(desired.size());
    var asEngine =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(AppStatusWriter.MANAGER)
            .build();
    Faults.attempt(
        "grow volume claim %s to %s".formatted(volume.name(), desired.size()),
        () ->
            context
                .writers()
                .of(app)
                .persistentVolumeClaims()
                .inNamespace(change().namespace())
                .withName(volume.name())
                .patch(asEngine, patch));
  }

  /** The names of the volume claims on the API server. */
  private Set<String> liveNames(List<VolumeClaimSize> desired) {
    var claims =
        Faults.list(
            "volume claims of group " + group.group(),
            context
                .engine()
                .resources(PersistentVolumeClaim.class)
                .inNamespace(change().namespace())
                .withLabels(selector()));
    var names = new HashSet<String>();
    claims.stream()
        .map(claim -> claim.getMetadata().getName())
        .filter(name -> size(desired, name).isPresent())
        .forEach(names::add);
    return names;
  }

  private static Optional<VolumeClaimSize> size(List<VolumeClaimSize> desired, String claim) {
    return desired.stream().filter(size -> size.isOf(claim)).findFirst();
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
