package io.middleware.engine.api;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** One set of equal pods of a Component. */
@io.fabric8.kubernetes.model.annotation.Group("middleware.io")
@Version("v1")
@Plural("groups")
@ShortNames("mwgroup")
@Categories("middleware")
public final class Group extends CustomResource<GroupSpec, GroupStatus> implements Namespaced {
  private static final long serialVersionUID = 1L;

  @Override
  protected GroupSpec initSpec() {
    return null;
  }

  @Override
  protected GroupStatus initStatus() {
    return null;
  }
}
