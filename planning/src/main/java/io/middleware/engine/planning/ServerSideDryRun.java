package io.middleware.engine.planning;

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
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.JobTemplates;
import io.middleware.engine.cluster.PodDefaults;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.cluster.status.AppStatusWriter;
import io.middleware.engine.planning.app.AppRefusedException;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.render.guard.ObjectKind;
import io.middleware.engine.render.guard.RenderedObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
  private record DryRunAnswer(Optional<Refusal> refusal, DryRunObject dryRunObject) {
    /** The same for the object of which it was asked in another form. */
    DryRunAnswer of(RenderedObject rendered) {
      return new DryRunAnswer(refusal, new DryRunObject(rendered, dryRunObject.after()));
    }
  }

  /**
   * If a call fails, the next attempt asks only for the objects that are not answered yet.
   *
   * @param replacing the components whose StatefulSets may be replaced
   * @throws AppRefusedException with the API server's message
   */
  List<DryRunObject> run(App app, List<RenderedObject> objects, Set<String> replacing) {
    if (objects.isEmpty()) {
      return List.of();
    }
    var answers = answers(app, objects, replacing);
    var refusals = answers.stream().map(DryRunAnswer::refusal).flatMap(Optional::stream).toList();
    if (!refusals.isEmpty()) {
      throw new AppRefusedException(DryRunRefusals.summary(refusals));
    }
    return answers.stream().map(DryRunAnswer::dryRunObject).toList();
  }

  private List<DryRunAnswer> answers(App app, List<RenderedObject> objects, Set<String> replacing) {
    var plan = new Plan(app.getMetadata().getUid(), app.getMetadata().getGeneration());
    var known = unfinished.asMap().computeIfAbsent(plan, it -> new ConcurrentHashMap<>());
    var threads = Executors.newFixedThreadPool(AT_ONCE_FOR_ONE_APP, Thread.ofVirtual().factory());
    try {
      var asked =
          objects.stream()
              .map(object -> threads.submit(() -> answer(app, object, replacing, known)))
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
      App app,
      RenderedObject object,
      Set<String> replacing,
      Map<RenderedObject, DryRunAnswer> known)
      throws InterruptedException {
    var earlier = known.get(object);
    if (earlier != null) {
      return earlier;
    }
    places.acquire();
    try {
      var answer =
          switch (object.kind().kind()) {
            case "StatefulSet" -> askAsDeployed(app, object, isOf(replacing, object));
            case JobTemplates.KIND -> askJob(app, withJobAsItIs(app, object));
            default -> ask(app, object);
          };
      known.put(object, answer);
      return answer;
    } finally {
      places.release();
    }
  }

  /** The pods of a Job cannot be edited. */
  private RenderedObject withJobAsItIs(App app, RenderedObject rendered) {
    return rendered.kind().kind().equals(JobTemplates.KIND)
        ? Faults.read(
                "Job " + rendered.name(), objects(app, rendered.kind()).withName(rendered.name()))
            .filter(live -> PodDefaults.areNew(live, rendered.tree()))
            .map(
                live ->
                    new RenderedObject(
                        rendered.kind(),
                        rendered.name(),
                        PodDefaults.without(rendered.tree(), live)))
            .orElse(rendered)
        : rendered;
  }

  private static boolean isOf(Set<String> components, RenderedObject object) {
    return object.tree().get("metadata") instanceof Map<?, ?> metadata
        && metadata.get("labels") instanceof Map<?, ?> labels
        && components.contains(labels.get(Labels.COMPONENT));
  }

  /**
   * The volume claim templates of a StatefulSet cannot be edited. It is replaced, or keeps those
   * that it has, so the dry run checks it with them. Only a replacement adds or drops one.
   */
  private DryRunAnswer askAsDeployed(App app, RenderedObject rendered, boolean isReplaced) {
    GenericKubernetesResource live;
    try {
      live = objects(app, rendered.kind()).withName(rendered.name()).get();
    } catch (KubernetesClientException e) {
      return refused(app, rendered, e);
    }
    if (live == null
        || !VolumeClaimTemplates.differ(rendered.tree(), live)
        || !isReplaced && !VolumeClaimTemplates.haveSameNames(rendered.tree(), live)) {
      return ask(app, rendered);
    }
    var tree = VolumeClaimTemplates.asDeployed(rendered.tree(), live);
    var answer = ask(app, new RenderedObject(rendered.kind(), rendered.name(), tree));
    answer
        .dryRunObject()
        .after()
        .filter(after -> isReplaced)
        .ifPresent(after -> VolumeClaimTemplates.replace(after, rendered.tree()));
    return answer.of(rendered);
  }

  /**
   * A Job whose pod template differs is left alone, or made anew. The dry run checks that under
   * another name.
   */
  private DryRunAnswer askJob(App app, RenderedObject rendered) {
    var live =
        Faults.read(
            "Job " + rendered.name(), objects(app, rendered.kind()).withName(rendered.name()));
    if (live.isEmpty()) {
      return ask(app, rendered);
    }
    var tree = JobTemplates.asDeployed(rendered.tree(), live.get());
    var answer = ask(app, new RenderedObject(rendered.kind(), rendered.name(), tree));
    if (answer.refusal().isEmpty()) {
      return answer.of(rendered);
    }
    if (JobTemplates.isComplete(live.get())) {
      return new DryRunAnswer(Optional.empty(), new DryRunObject(rendered, live));
    }
    var anew = new LinkedHashMap<>(rendered.tree());
    var metadata = new LinkedHashMap<Object, Object>((Map<?, ?>) anew.get("metadata"));
    metadata.put("name", rendered.name() + "-anew");
    anew.put("metadata", metadata);
    return ask(app, new RenderedObject(rendered.kind(), rendered.name() + "-anew", anew))
        .of(rendered);
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
    if (DryRunRefusals.wasGranted(app) && Faults.isDoubted(e)) {
      throw Faults.of("dry-run " + name, e);
    }
    var refusal =
        MissingImpersonation.refusal(namespace, e)
            .or(() -> fixed(app, rendered, name, e))
            .or(() -> DryRunRefusals.refusal(name, e));
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
}
