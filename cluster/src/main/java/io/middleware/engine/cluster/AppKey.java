package io.middleware.engine.cluster;

import static java.util.Objects.requireNonNull;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.ChangeRef;
import java.util.Optional;

/** Namespace and name of the App that an object belongs to. */
public record AppKey(String namespace, String app) {
  public AppKey {
    requireNonNull(namespace, "namespace");
    requireNonNull(app, "app");
  }

  public static AppKey of(ChangeRef change) {
    return new AppKey(change.namespace(), change.app());
  }

  /** The App itself, or the App that the object's label names; empty without that label. */
  static Optional<AppKey> of(HasMetadata object) {
    var metadata = object.getMetadata();
    var app =
        object instanceof App
            ? metadata.getName()
            : metadata.getLabels() == null ? null : metadata.getLabels().get(Labels.APP);
    return app == null ? Optional.empty() : Optional.of(new AppKey(metadata.getNamespace(), app));
  }

  @Override
  public String toString() {
    return namespace + "/" + app;
  }
}
