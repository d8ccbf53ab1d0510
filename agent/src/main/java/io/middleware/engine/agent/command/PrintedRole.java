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
record PrintedRole(String name, String problem) {
  static final PrintedRole NONE = new PrintedRole("", "");

  private static final Pattern VALID = Pattern.compile("[a-z0-9][-_.a-z0-9]{0,62}");

  /** The same with the protocol's word for a primary. */
  PrintedRole inTheWordsOf(RoleOrder order) {
    return new PrintedRole(order.wireName(name), problem);
  }

  /** The first line is the role, the second one the problem. An answer that is neither is none. */
  static PrintedRole of(CommandAnswer answer) {
    var lines = answer.outputOrThrow().strip().lines().map(String::strip).toList();
    if (lines.isEmpty() || !VALID.matcher(lines.getFirst()).matches()) {
      throw answer.unusable(
          Status.UNAVAILABLE, "a role first: one word in lower case of at most 63 characters");
    }
    return new PrintedRole(lines.getFirst(), lines.size() > 1 ? lines.get(1) : "");
  }
}
