package io.middleware.engine.watcher.control;

import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import java.util.Optional;

/** Apps on the API server. A failed read or removal is an error; a failed event is only logged. */
public final class LiveApps implements ControlledApps {
  private static final String ACTION = "Control";

  /** The answer to a patch whose tests fail; admission policies give the same. */
  private static final int HTTP_UNPROCESSABLE = 422;

  private final KubernetesClient client;
  private final EventPublisher events;
  private final PatchContext patch;

  public LiveApps(KubernetesClient client, String fieldManager, EventPublisher events) {
    this.client = client;
    this.events = events;
    this.patch =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON)
            .withFieldManager(fieldManager)
            .build();
  }

  @Override
  public Optional<App> read(App cached) {
    return Optional.ofNullable(client.resource(cached).get());
  }

  @Override
  public void publish(App app, ControlOutcome outcome) {
    events.publish(app, ACTION, outcome);
  }

  @Override
  public void remove(App app, String annotation) {
    try {
      client.resource(app).patch(patch, removal(app, annotation));
    } catch (KubernetesClientException e) {
      var differs = e.getCode() == HTTP_UNPROCESSABLE && !isThere(app, annotation);
      if (e.getCode() != HTTP_NOT_FOUND && !differs) {
        throw e;
      }
    }
  }

  /** Whether the App has the annotation with the value that was read. */
  private boolean isThere(App seen, String annotation) {
    var meta = seen.getMetadata();
    return read(seen)
        .map(App::getMetadata)
        .filter(now -> now.getUid().equals(meta.getUid()) && now.getAnnotations() != null)
        .map(now -> now.getAnnotations().get(annotation))
        .filter(value -> value.equals(meta.getAnnotations().get(annotation)))
        .isPresent();
  }

  /**
   * A patch that removes the annotation only from this App and only with the value that was read.
   */
  static String removal(App app, String annotation) {
    var meta = app.getMetadata();
    var path = "/metadata/annotations/" + annotation.replace("/", "~1");
    var operations = JsonNodeFactory.instance.arrayNode();
    operations
        .addObject()
        .put("op", "test")
        .put("path", "/metadata/uid")
        .put("value", meta.getUid());
    operations
        .addObject()
        .put("op", "test")
        .put("path", path)
        .put("value", meta.getAnnotations().get(annotation));
    operations.addObject().put("op", "remove").put("path", path);
    return operations.toString();
  }
}
