package io.middleware.engine.cluster;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.fabric8.kubernetes.api.model.apps.ControllerRevision;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppSpec;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.workflows.port.ChangeRef;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The spec of each generation of an App, regardless of later edits. Sensitive values are not kept:
 * they are found in the App, or in its Components. One that is in neither was edited before a step
 * has written it, and its mark stays in the spec.
 */
public final class SpecHistoryReader {
  private static final Duration KEPT_FOR = Duration.ofMinutes(10);

  private final Cache<Generation, AppSpec> kept =
      CacheBuilder.newBuilder().expireAfterAccess(KEPT_FOR).build();
  private final KubernetesClient client;

  /**
   * @param client with the engine's own rights
   */
  public SpecHistoryReader(KubernetesClient client) {
    this.client = client;
  }

  private record Generation(String uid, long generation) {}

  /**
   * The App with the spec that the change carries out; everything else, such as its annotations, is
   * live. A teardown uses the newest spec that can be read.
   *
   * @param live as the API server returned it
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when the spec was not kept
   */
  public App of(ChangeRef change, App live) {
    if (live.getSpec() != null && live.getMetadata().getGeneration() == change.generation()) {
      return live;
    }
    var app = new App();
    app.setMetadata(live.getMetadata());
    app.setStatus(live.getStatus());
    app.setSpec(spec(change, live));
    return app;
  }

  private AppSpec spec(ChangeRef change, App live) {
    var key = new Generation(change.uid(), change.generation());
    var known = kept.getIfPresent(key);
    if (known != null) {
      return known;
    }
    var name = change.app() + "-" + change.generation();
    var found = find(name, live);
    found.ifPresent(spec -> kept.put(key, spec));
    if (found.isPresent() || live.isMarkedForDeletion()) {
      return found.or(() -> Optional.ofNullable(live.getSpec())).orElseGet(() -> newest(live));
    }
    throw Faults.of(
        FaultKind.INVALID,
        "ControllerRevision %s/%s, which holds the spec to carry out, is gone or cannot be read: edit the App"
            .formatted(change.namespace(), name));
  }

  private Optional<AppSpec> find(String name, App app) {
    var namespace = app.getMetadata().getNamespace();
    return Faults.read(
            "ControllerRevision " + namespace + "/" + name,
            client.resources(ControllerRevision.class).inNamespace(namespace).withName(name))
        .filter(it -> OwnerReferences.owns(app, it))
        .flatMap(it -> read(it, app));
  }

  /** The newest readable spec; null when no change was ever carried out. */
  private AppSpec newest(App app) {
    var namespace = app.getMetadata().getNamespace();
    var revisions =
        Faults.list(
            "ControllerRevisions in " + namespace,
            client
                .resources(ControllerRevision.class)
                .inNamespace(namespace)
                .withLabel(Labels.APP, app.getMetadata().getName()));
    return revisions.stream()
        .filter(revision -> OwnerReferences.owns(app, revision))
        .sorted(Comparator.comparing(ControllerRevision::getRevision).reversed())
        .flatMap(revision -> read(revision, app).stream())
        .findFirst()
        .orElse(null);
  }

  private Optional<AppSpec> read(ControllerRevision revision, App app) {
    try {
      return Optional.ofNullable(tree(revision.getData()))
          .map(kept -> SensitiveMarks.areIn(kept) ? resolved(kept, app) : kept)
          .map(spec -> client.getKubernetesSerialization().convertValue(spec, AppSpec.class));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Map<?, ?> resolved(Map<?, ?> kept, App app) {
    var components =
        AppComponents.labelled(client, app).stream().map(component -> (Object) component.getSpec());
    var sources = Stream.concat(Stream.ofNullable(app.getSpec()), components);
    return new SensitiveMarks(app.getMetadata().getUid())
        .resolve(kept, sources.filter(Objects::nonNull).map(this::tree));
  }

  private Map<?, ?> tree(Object object) {
    return client.getKubernetesSerialization().convertValue(object, Map.class);
  }
}
