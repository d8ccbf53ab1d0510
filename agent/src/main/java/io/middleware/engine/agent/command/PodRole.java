package io.middleware.engine.agent.command;

import io.grpc.Status;
import io.middleware.engine.agent.order.RoleOrder;
import java.util.regex.Pattern;

/**
 * The role of a pod, as a command has printed it.
 *
 * @param name empty: the middleware has no roles
 * @param problem what keeps the pod from what its role promises, for people; may be empty
 */
record PodRole(String name, String problem) {
  static final PodRole NONE = new PodRole("", "");

  private static final Pattern VALID = Pattern.compile("[a-z0-9][-_.a-z0-9]{0,62}");

  /** The same with the protocol's word for a primary. */
  PodRole inTheWordsOf(RoleOrder order) {
    return new PodRole(order.wireName(name), problem);
  }

  /** The first line is the role, the second one the problem. An answer that is neither is none. */
  static PodRole of(CommandAnswer answer) {
    var lines = answer.outputOrThrow().strip().lines().map(String::strip).toList();
    if (lines.isEmpty() || !VALID.matcher(lines.getFirst()).matches()) {
      throw answer.unusable(
          Status.UNAVAILABLE, "a role first: one word in lower case of at most 63 characters");
    }
    return new PodRole(lines.getFirst(), lines.size() > 1 ? lines.get(1) : "");
  }
}
