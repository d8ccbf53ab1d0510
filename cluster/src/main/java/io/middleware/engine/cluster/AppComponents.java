package io.middleware.engine.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.Labels;
import java.util.List;

/** The Components on the API server, by App. */
public final class AppComponents {
  private AppComponents() {}

  /** Those with the App's label, whoever owns them. */
  public static List<Component> labelled(KubernetesClient client, App app) {
    var metadata = app.getMetadata();
    return Faults.list(
        "Components of App " + metadata.getName(),
        client
            .resources(Component.class)
            .inNamespace(metadata.getNamespace())
            .withLabel(Labels.APP, metadata.getName()));
  }
}
