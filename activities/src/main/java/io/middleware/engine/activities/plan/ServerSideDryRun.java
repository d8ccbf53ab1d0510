package io.middleware.engine.activities.plan;

import static java.util.stream.Collectors.joining;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.middleware.engine.activities.kubernetes.ClaimTemplates;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.kubernetes.ImpersonatedClients;
import io.middleware.engine.activities.render.guard.ObjectKind;
import io.middleware.engine.activities.render.guard.RenderedObject;
import io.middleware.engine.activities.status.AppStatusWriter;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Reasons;
import io.middleware.engine.api.task.FaultKind;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Asks the API server whether it would take every object from the account that will write it, and
 * writes none.
 */
final class ServerSideDryRun {
  private static final int AT_ONCE = 8;
  private static final int MOST_NAMED = 5;

  private final ImpersonatedClients writers;

  ServerSideDryRun(ImpersonatedClients writers) {
    this.writers = writers;
  }

  /**
   * What an object would be, had it been applied.
   *
   * @param after empty when that cannot be told now: another manager owns some of its fields, and
   *     they are not to be taken over
   */
  record DryRunObject(RenderedObject object, Optional<GenericKubernetesResource> after) {}

  /** What the server says to one object: one or the other. */
  private record DryRunAnswer(Optional<Refusal> refusal, DryRunObject rehearsed) {}

  /**
   * @param growing the components whose volumes grow, so that their StatefulSets are replaced
   * @throws RefusedException in the API server's own words
   */
  List<DryRunObject> rehearse(App app, List<RenderedObject> objects, Set<String> growing) {
    if (objects.isEmpty()) {
      return List.of();
    }
    var asked = new ArrayList<Future<DryRunAnswer>>();
    try (var threads = Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
      objects.forEach(
          object ->
              asked.add(
                  threads.submit(
                      () -> isOf(growing, object) ? askUngrown(app, object) : ask(app, object))));
    }
    var answers = asked.stream().map(Faults::result).toList();
    var refusals = answers.stream().map(DryRunAnswer::refusal).flatMap(Optional::stream).toList();
    if (!refusals.isEmpty()) {
      throw new AppRefusedException(summary(refusals));
    }
    return answers.stream().map(DryRunAnswer::rehearsed).toList();
  }

  private static Refusal summary(List<Refusal> refusals) {
    var reason = refusals.getFirst().reason();
    var alike = refusals.stream().filter(one -> one.reason().equals(reason)).toList();
    var words = alike.stream().limit(MOST_NAMED).map(Refusal::message).collect(joining("; "));
    var more =
        alike.size() > MOST_NAMED ? "; and %d more".formatted(alike.size() - MOST_NAMED) : "";
    var hint =
        Reasons.WRITE_FORBIDDEN.equals(reason)
            ? " (spec.serviceAccountName sets the account that writes)"
            : "";
    return new Refusal(reason, words + more + hint);
  }

  private static boolean isOf(Set<String> components, RenderedObject object) {
    return object.kind().kind().equals("StatefulSet")
        && object.tree().get("metadata") instanceof Map<?, ?> metadata
        && metadata.get("labels") instanceof Map<?, ?> labels
        && components.contains(labels.get(Labels.COMPONENT));
  }

  /**
   * The sizes in its claim templates cannot be edited, so it will be replaced: all else is asked.
   */
  private DryRunAnswer askUngrown(App app, RenderedObject rendered) {
    GenericKubernetesResource live;
    try {
      live = objects(app, rendered.kind()).withName(rendered.name()).get();
    } catch (KubernetesClientException e) {
      return refused(app, rendered, e);
    }
    if (live == null || !ClaimTemplates.isGrown(rendered.tree(), live)) {
      return ask(app, rendered);
    }
    var tree = ClaimTemplates.ungrown(rendered.tree(), live);
    var answer = ask(app, new RenderedObject(rendered.kind(), rendered.name(), tree));
    answer.rehearsed().after().ifPresent(after -> ClaimTemplates.grow(after, rendered.tree()));
    return new DryRunAnswer(
        answer.refusal(), new DryRunObject(rendered, answer.rehearsed().after()));
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

  private static DryRunAnswer refused(
      App app, RenderedObject rendered, KubernetesClientException e) {
    var namespace = app.getMetadata().getNamespace();
    var name = "%s %s/%s".formatted(rendered.kind().kind(), namespace, rendered.name());
    return new DryRunAnswer(refusal(name, e), new DryRunObject(rendered, Optional.empty()));
  }

  /**
   * Fields that another manager owns are not refused here: that may be over when it comes to it.
   */
  static Optional<Refusal> refusal(String name, KubernetesClientException e) {
    if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
      return Optional.empty();
    }
    var words = name + ": " + Faults.message(e);
    return switch (Faults.kindOfDryRun(e)) {
      case FORBIDDEN -> Optional.of(new Refusal(Reasons.WRITE_FORBIDDEN, words));
      case INVALID, CONFLICT, INVALID_ORDER, AGENT_REFUSED, SUPERSEDED, PAUSED, INTERNAL ->
          Optional.of(new Refusal(Reasons.OBJECT_REFUSED, words));
      case UNAVAILABLE, AGENTS_UNAVAILABLE ->
          throw Faults.of(FaultKind.UNAVAILABLE, "dry-run " + words);
    };
  }
}
