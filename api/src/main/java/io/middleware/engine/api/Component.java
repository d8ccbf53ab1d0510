package io.middleware.engine.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One part of an App. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("components")
@ShortNames("mwcomp")
@Categories("middleware")
public final class Component extends CustomResource<ComponentSpec, ComponentStatus>
    implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected ComponentSpec initSpec() {
    return null;
  }

  @Override
  protected ComponentStatus initStatus() {
    return null;
  }
}
