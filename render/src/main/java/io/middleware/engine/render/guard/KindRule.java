package io.middleware.engine.render.guard;

import io.middleware.engine.api.schema.SchemaPatterns;
import java.util.Set;

/**
 * Allows only listed kinds, by exact API version. Some are refused even if the plugin allows them.
 */
record KindRule(Set<ObjectKind> extraKinds) implements GuardRule {
  private static final Set<String> CLUSTER_RBAC = Set.of("ClusterRole", "ClusterRoleBinding");

  @Override
  public void inspect(InspectedObject object) {
    var kind = object.kind();
    if (isNeverAllowed(kind)) {
      object.refuse(object.root(), kind + " is never allowed in a template");
    } else if (!KnownKinds.contain(kind) && !isExtra(kind)) {
      object.refuse(
          object.root(),
          kind
              + " is not allowed: use "
              + KnownKinds.list()
              + " or a kind listed in the plugin's allowedKinds");
    }
  }

  /** Its API version becomes part of a path. */
  private boolean isExtra(ObjectKind kind) {
    return extraKinds.contains(kind)
        && SchemaPatterns.isFollowed(SchemaPatterns.API_VERSION, kind.apiVersion());
  }

  private static boolean isNeverAllowed(ObjectKind kind) {
    return kind.group().equals("middleware.io")
        || (kind.group().equals("rbac.authorization.k8s.io") && CLUSTER_RBAC.contains(kind.kind()));
  }
}
