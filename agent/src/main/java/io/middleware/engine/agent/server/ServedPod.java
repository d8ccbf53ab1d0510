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
   * Why what is meant for a pod is not for this one; nothing when it is, as far as both know. An
   * empty text says nothing. Not final: the agent, or who asks, has yet to see that a pod was made
   * again.
   */
  Optional<Status> refusal(String meantName, String meantUid) {
    if (isOrUnknown(name, meantName) && isOrUnknown(uid, meantUid)) {
      return Optional.empty();
    }
    return Optional.of(
        Status.UNAVAILABLE.withDescription(
            "the pod behind this address is another one: %s, not %s"
                .formatted(this, new ServedPod(meantName, meantUid))));
  }

  @Override
  public String toString() {
    return uid.isEmpty() ? name : "%s (uid %s)".formatted(name, uid);
  }

  private static boolean isOrUnknown(String own, String meant) {
    return own.isEmpty() || meant.isEmpty() || own.equals(meant);
  }
}
