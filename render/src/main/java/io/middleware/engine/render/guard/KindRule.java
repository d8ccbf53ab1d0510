package io.middleware.engine.render.guard;

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
    } else if (!KnownKinds.contain(kind) && !extraKinds.contains(kind)) {
      object.refuse(
          object.root(),
          kind
              + " is not allowed: use "
              + KnownKinds.list()
              + " or a kind listed in the plugin's allowedKinds");
    }
  }

  private static boolean isNeverAllowed(ObjectKind kind) {
    return kind.group().equals("middleware.io")
        || (kind.group().equals("rbac.authorization.k8s.io") && CLUSTER_RBAC.contains(kind.kind()));
  }
}
