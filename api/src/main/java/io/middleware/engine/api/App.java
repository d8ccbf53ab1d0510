package io.middleware.engine.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** What a user wants to run. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("apps")
@ShortNames("mwapp")
@Categories("middleware")
public final class App extends CustomResource<AppSpec, AppStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected AppSpec initSpec() {
    return null;
  }

  @Override
  protected AppStatus initStatus() {
    return null;
  }
}
