package io.middleware.engine.cluster.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.process.objects.OptimisticUpdate;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads an App and writes one field manager's part of its status, all of it at once. The write
 * names the version that was read; on a conflict the App is read again. An unchanged status is not
 * written. The status is the engine's own: fields that somebody else has written are taken over, or
 * removed with an event.
 */
public final class AppStatusWriter {
  /** The name under which the engine owns fields. */
  public static final String MANAGER = "middleware-engine";

  private final KubernetesClient client;
  private final Part owned;
  private final BiConsumer<App, EngineEvent> events;

  /**
   * Writes the change's part.
   *
   * @param client with the engine's own rights
   * @param events told of fields of others that were removed
   */
  public AppStatusWriter(KubernetesClient client, BiConsumer<App, EngineEvent> events) {
    this(client, new Part(MANAGER, AppStatusFactory::partOf), events);
  }

  AppStatusWriter(KubernetesClient client, Part owned, BiConsumer<App, EngineEvent> events) {
    this.client = client;
    this.owned = owned;
    this.events = events;
  }

  /**
   * Writes the status that {@code part} makes of the App as it is now. {@code part} may throw, and
   * is called again after a write conflict.
   *
   * @param part writes nothing when its result is empty
   * @return the App before the write and its new status; empty when there is no App of this uid, or
   *     {@code part} was empty
   */
  public Optional<Written> write(AppId id, Function<App, Optional<AppStatus>> part) {
    return write(id, Optional.empty(), part);
  }

  /**
   * The same, but first tries with an App that the caller has seen. What {@code part} makes of that
   * one counts only if it is written, as the App may have changed since.
   */
  public Optional<Written> write(
      AppId id, Optional<App> observed, Function<App, Optional<AppStatus>> part) {
    return observed
        .flatMap(
            app ->
                part.apply(app)
                    .filter(status -> !isThere(app, status) && applied(app, status))
                    .map(status -> new Written(app, status)))
        .or(() -> writeOntoLive(id, part));
  }

  private Optional<Written> writeOntoLive(AppId id, Function<App, Optional<AppStatus>> part) {
    return OptimisticUpdate.FEW_WRITERS.update(
        () -> read(id),
        part,
        (app, status) ->
            isThere(app, status) || applied(app, status)
                ? Optional.of(new Written(app, status))
                : Optional.empty(),
        () ->
            Faults.of(
                FaultKind.CONFLICT,
                "App " + id + " is changing too often for its status to be written; retrying"));
  }

  /** The App of this uid as it is now. */
  public Optional<App> read(AppId id) {
    return Faults.read(
            "App " + id,
            client.resources(App.class).inNamespace(id.namespace()).withName(id.name()))
        .filter(app -> id.uid().equals(app.getMetadata().getUid()));
  }

  private boolean isThere(App app, AppStatus part) {
    return app.getStatus() != null && part.equals(owned.in().apply(app.getStatus()));
  }

  private boolean applied(App app, AppStatus part) {
    var bare = new App();
    bare.getMetadata().setName(app.getMetadata().getName());
    bare.getMetadata().setNamespace(app.getMetadata().getNamespace());
    bare.getMetadata().setResourceVersion(app.getMetadata().getResourceVersion());
    bare.setStatus(part);
    return Faults.unlessStale(
            attempted(app), () -> client.resource(bare).subresource("status").patch(apply()))
        .filter(written -> isThere(written, part) || isCorrected(written, part))
        .isPresent();
  }

  private static String attempted(App app) {
    return "write the status of App " + AppId.of(app);
  }

  /** What the apply does not name, and others have written, it leaves. */
  private boolean isCorrected(App written, AppStatus part) {
    var removal = ForeignFields.removal(tree(owned.in().apply(written.getStatus())), tree(part));
    if (removal.isEmpty()) {
      return true;
    }
    var version = written.getMetadata().getResourceVersion();
    var patch = Map.of("metadata", Map.of("resourceVersion", version), "status", removal);
    var isCorrected =
        Faults.unlessStale(
                attempted(written),
                () ->
                    client
                        .resource(written)
                        .subresource("status")
                        .patch(
                            new PatchContext.Builder()
                                .withPatchType(PatchType.JSON_MERGE)
                                .withFieldManager(owned.manager())
                                .build(),
                            client.getKubernetesSerialization().asJson(patch)))
            .isPresent();
    if (isCorrected) {
      events.accept(written, correction(written, removal));
    }
    return isCorrected;
  }

  private static EngineEvent correction(App written, Map<String, Object> removal) {
    return new EngineEvent(
        "status corrected " + written.getMetadata().getResourceVersion(),
        EngineEvent.Kind.WARNING,
        "StatusCorrected",
        "Report",
        "%s: removed, as only Middleware Engine writes there; the status was also written by %s: it must not do so"
            .formatted(ForeignFields.names(removal), ForeignFields.writers(written)));
  }

  private Map<?, ?> tree(AppStatus status) {
    return client.getKubernetesSerialization().convertValue(status, Map.class);
  }

  private PatchContext apply() {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager(owned.manager())
        .withForce(true)
        .build();
  }

  /**
   * The part of a status that one field manager owns.
   *
   * @param in extracts the part from a whole status
   */
  record Part(String manager, UnaryOperator<AppStatus> in) {}

  /** One App object; a later App of the same name has another uid. */
  public record AppId(String namespace, String name, String uid) {
    public static AppId of(App app) {
      var metadata = app.getMetadata();
      return new AppId(metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    @Override
    public String toString() {
      return namespace + "/" + name;
    }
  }

  /**
   * @param before the App as it was read
   * @param status the part of the status after the write
   */
  public record Written(App before, AppStatus status) {}
}
