package io.middleware.engine.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** How one kind of middleware is built. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("plugins")
@ShortNames("mwplugin")
@Categories("middleware")
public final class Plugin extends CustomResource<PluginSpec, Void> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected PluginSpec initSpec() {
    return null;
  }

  @Override
  protected Void initStatus() {
    return null;
  }
}
