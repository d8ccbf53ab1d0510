package io.middleware.engine.watcher.control;

import static java.net.HttpURLConnection.HTTP_CONFLICT;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.watcher.control.ControlledApps.ControlOutcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates events on the API server, each once. One that cannot be written is only logged. */
public final class EventPublisher {
  private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);

  private final KubernetesClient client;
  private final ControlEvents events;

  public EventPublisher(KubernetesClient client, ControlEvents events) {
    this.client = client;
    this.events = events;
  }

  /**
   * @param object that it is about
   * @param action what was done, in one word
   */
  public void publish(HasMetadata object, String action, ControlOutcome outcome) {
    try {
      client.resource(events.event(object, action, outcome)).create();
    } catch (KubernetesClientException e) {
      if (e.getCode() != HTTP_CONFLICT) {
        LOG.atWarn()
            .setCause(e)
            .addKeyValue("namespace", object.getMetadata().getNamespace())
            .addKeyValue("kind", object.getKind())
            .addKeyValue("name", object.getMetadata().getName())
            .addKeyValue("reason", outcome.reason())
            .log("cannot write the event");
      }
    }
  }
}
