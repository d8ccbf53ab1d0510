package io.middleware.engine.agent.server;

import io.grpc.Status;
import java.util.Optional;

/**
 * The pod that an agent answers for.
 *
 * @param uid empty when the agent does not know it
 */
public record ServedPod(String name, String uid) {

  /**
   * The refusal of a call for another pod; empty when the call is for this pod. An empty name or
   * uid matches every pod. The status is one that clients retry: the agent or the client may not
   * have noticed yet that the pod was recreated.
   */
  Optional<Status> refusal(String requestedName, String requestedUid) {
    if (matches(name, requestedName) && matches(uid, requestedUid)) {
      return Optional.empty();
    }
    return Optional.of(
        Status.UNAVAILABLE.withDescription(
            "the pod at this address is %s, not %s"
                .formatted(this, new ServedPod(requestedName, requestedUid))));
  }

  @Override
  public String toString() {
    return uid.isEmpty() ? name : "%s (uid %s)".formatted(name, uid);
  }

  private static boolean matches(String own, String requested) {
    return own.isEmpty() || requested.isEmpty() || own.equals(requested);
  }
}
