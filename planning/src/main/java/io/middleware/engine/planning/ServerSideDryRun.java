package io.middleware.engine.planning;

import static java.util.stream.Collectors.joining;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.ServiceLinks;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/**
 * Applies every object in the dry-run mode of the API server, with the account that will write it.
 * Nothing is written.
 */
final class ServerSideDryRun {
  private static final int AT_ONCE_FOR_ONE_APP = 8;
  private static final int AT_ONCE = 16;
  private static final int MOST_NAMED = 5;
  private static final int INVALID = 422;
  private static final Duration KEPT_FOR = Duration.ofMinutes(2);

  private final ImpersonatedClients writers;
  private final Consumer<String> heartbeat;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
  private final Cache<Plan, Map<RenderedObject, DryRunAnswer>> unfinished =
      CacheBuilder.newBuilder().expireAfterAccess(KEPT_FOR).build();

  /**
   * @param heartbeat receives how many objects are done; may throw to end the dry run
   */
  ServerSideDryRun(ImpersonatedClients writers, Consumer<String> heartbeat) {
    this.writers = writers;
    this.heartbeat = heartbeat;
  }

  private record Plan(String uid, Long generation) {}

  /**
   * An object and the result of its dry run.
   *
   * @param after the object after the apply; empty when another field manager owns some of its
   *     fields and conflicts are not forced
   */
  record DryRunObject(RenderedObject object, Optional<GenericKubernetesResource> after) {}

  /** The server's answer for one object: either a refusal or the result. */
  private record DryRunAnswer(Optional<Refusal> refusal, DryRunObject dryRunObject) {}

  /**
   * If a call fails, the next attempt asks only for the objects that are not answered yet.
   *
   * @param growing the components whose volumes are expanded, so that their StatefulSets are
   *     replaced
   * @throws AppRefusedException with the API server's message
   */
  List<DryRunObject> run(App app, List<RenderedObject> objects, Set<String> growing) {
    if (objects.isEmpty()) {
      return List.of();
    }
    var answers = answers(app, objects, growing);
    var refusals = answers.stream().map(DryRunAnswer::refusal).flatMap(Optional::stream).toList();
    if (!refusals.isEmpty()) {
      throw new AppRefusedException(summary(refusals));
    }
    return answers.stream().map(DryRunAnswer::dryRunObject).toList();
  }

  private List<DryRunAnswer> answers(App app, List<RenderedObject> objects, Set<String> growing) {
    var plan = new Plan(app.getMetadata().getUid(), app.getMetadata().getGeneration());
    var known = unfinished.asMap().computeIfAbsent(plan, it -> new ConcurrentHashMap<>());
    var threads = Executors.newFixedThreadPool(AT_ONCE_FOR_ONE_APP, Thread.ofVirtual().factory());
    try {
      var asked =
          objects.stream()
              .map(object -> threads.submit(() -> answer(app, object, growing, known)))
              .toList();
      var answers = new ArrayList<DryRunAnswer>();
      for (var answer : asked) {
        answers.add(Faults.result(answer));
        heartbeat.accept("dry run of %d of %d objects".formatted(answers.size(), objects.size()));
      }
      unfinished.invalidate(plan);
      return answers;
    } finally {
      threads.shutdownNow();
    }
  }

  private DryRunAnswer answer(
      App app, RenderedObject object, Set<String> growing, Map<RenderedObject, DryRunAnswer> known)
      throws InterruptedException {
    var earlier = known.get(object);
    if (earlier != null) {
      return earlier;
    }
    places.acquire();
    try {
      var answer =
          isOf(growing, object) ? askUngrown(app, object) : ask(app, withJobAsItIs(app, object));
      known.put(object, answer);
      return answer;
    } finally {
      places.release();
    }
  }

  /** The pods of a Job cannot be edited. */
  private RenderedObject withJobAsItIs(App app, RenderedObject rendered) {
    return rendered.kind().kind().equals("Job")
        ? Faults.read(
                "Job " + rendered.name(), objects(app, rendered.kind()).withName(rendered.name()))
            .filter(live -> ServiceLinks.areTurnedOff(live, rendered.tree()))
            .map(
                live ->
                    new RenderedObject(
                        rendered.kind(), rendered.name(), ServiceLinks.kept(rendered.tree())))
            .orElse(rendered)
        : rendered;
  }

  private static Refusal summary(List<Refusal> refusals) {
    var reason = refusals.getFirst().reason();
    var alike = refusals.stream().filter(one -> one.reason().equals(reason)).distinct().toList();
    var messages = alike.stream().limit(MOST_NAMED).map(Refusal::message).collect(joining("; "));
    var more =
        alike.size() > MOST_NAMED ? "; and %d more".formatted(alike.size() - MOST_NAMED) : "";
    var hint =
        Reasons.WRITE_FORBIDDEN.equals(reason)
            ? " (spec.serviceAccountName sets the account that writes)"
            : "";
    return new Refusal(reason, messages + more + hint);
  }

  private static boolean isOf(Set<String> components, RenderedObject object) {
    return object.kind().kind().equals("StatefulSet")
        && object.tree().get("metadata") instanceof Map<?, ?> metadata
        && metadata.get("labels") instanceof Map<?, ?> labels
        && components.contains(labels.get(Labels.COMPONENT));
  }

  /**
   * A StatefulSet with larger volume claim templates is replaced, as these cannot be edited. The
   * dry run checks it with the deployed sizes.
   */
  private DryRunAnswer askUngrown(App app, RenderedObject rendered) {
    GenericKubernetesResource live;
    try {
      live = objects(app, rendered.kind()).withName(rendered.name()).get();
    } catch (KubernetesClientException e) {
      return refused(app, rendered, e);
    }
    if (live == null || !VolumeClaimTemplates.isGrown(rendered.tree(), live)) {
      return ask(app, rendered);
    }
    var tree = VolumeClaimTemplates.ungrown(rendered.tree(), live);
    var answer = ask(app, new RenderedObject(rendered.kind(), rendered.name(), tree));
    answer
        .dryRunObject()
        .after()
        .ifPresent(after -> VolumeClaimTemplates.grow(after, rendered.tree()));
    return new DryRunAnswer(
        answer.refusal(), new DryRunObject(rendered, answer.dryRunObject().after()));
  }

  private DryRunAnswer ask(App app, RenderedObject rendered) {
    var object =
        writers
            .of(app)
            .getKubernetesSerialization()
            .convertValue(rendered.tree(), GenericKubernetesResource.class);
    try {
      var resource =
          objects(app, rendered.kind())
              .resource(object)
              .dryRun()
              .fieldManager(AppStatusWriter.MANAGER);
      var after =
          app.forcesConflicts()
              ? resource.forceConflicts().serverSideApply()
              : resource.serverSideApply();
      return new DryRunAnswer(Optional.empty(), new DryRunObject(rendered, Optional.of(after)));
    } catch (KubernetesClientException e) {
      return refused(app, rendered, e);
    }
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      objects(App app, ObjectKind kind) {
    return writers
        .of(app)
        .genericKubernetesResources(kind.apiVersion(), kind.kind())
        .inNamespace(app.getMetadata().getNamespace());
  }

  private DryRunAnswer refused(App app, RenderedObject rendered, KubernetesClientException e) {
    var namespace = app.getMetadata().getNamespace();
    var name = "%s %s/%s".formatted(rendered.kind().kind(), namespace, rendered.name());
    if (wasGranted(app) && Faults.isDoubted(e)) {
      throw Faults.of("dry-run " + name, e);
    }
    var refusal =
        MissingImpersonation.refusal(namespace, e)
            .or(() -> fixed(app, rendered, name, e))
            .or(() -> refusal(name, e));
    return new DryRunAnswer(refusal, new DryRunObject(rendered, Optional.empty()));
  }

  /** Names the fields that cannot be changed, which the API server does not. */
  private Optional<Refusal> fixed(
      App app, RenderedObject rendered, String name, KubernetesClientException e) {
    if (e.getCode() != INVALID || !rendered.kind().kind().equals("StatefulSet")) {
      return Optional.empty();
    }
    return Faults.read(
            "StatefulSet " + name, objects(app, rendered.kind()).withName(rendered.name()))
        .map(live -> FixedFields.differences(rendered.tree(), live))
        .filter(differences -> !differences.isEmpty())
        .map(
            differences ->
                new Refusal(
                    Reasons.OBJECT_REFUSED,
                    "%s: %s, which Kubernetes does not allow: keep the Plugin's earlier version, or add a group with another name"
                        .formatted(name, String.join(" and ", differences))));
  }

  /** Whether the plan before this one was accepted, dry run included. */
  private static boolean wasGranted(App app) {
    return app.getStatus() != null
        && app.getStatus().conditions() != null
        && app.getStatus().conditions().stream()
            .filter(condition -> Reasons.ACCEPTED.equals(condition.getType()))
            .anyMatch(condition -> "True".equals(condition.getStatus()));
  }

  /** A field conflict is not a refusal: it may be resolved by the time the object is applied. */
  static Optional<Refusal> refusal(String name, KubernetesClientException e) {
    if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.empty();
    }
    var message = name + ": " + Faults.message(e);
    return switch (Faults.kindOfDryRun(e)) {
      case FORBIDDEN -> Optional.of(new Refusal(Reasons.WRITE_FORBIDDEN, message));
      case INVALID,
          CONFLICT,
          INVALID_ORDER,
          AGENT_REFUSED,
          REFUSED,
          ACTION_FAILED,
          BACKUP_FAILED,
          HOOK_FAILED,
          CHECK_FAILED,
          SUPERSEDED,
          IRREVERSIBLE,
          PAUSED,
          INTERNAL ->
          Optional.of(new Refusal(Reasons.OBJECT_REFUSED, message));
      case UNAVAILABLE, AGENTS_UNAVAILABLE ->
          throw Faults.of(FaultKind.UNAVAILABLE, "dry-run " + message);
    };
  }
}
