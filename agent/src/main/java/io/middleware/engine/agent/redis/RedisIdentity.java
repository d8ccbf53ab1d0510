package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.order.NumberedName;
import java.util.Optional;

/**
 * The pod that a Redis belongs to. Redis gets it at its start, as {@code syslog-ident}, and reports
 * it: an address may belong to another pod by now.
 *
 * @param namespace empty: not known, so every Redis counts as one of the group
 * @param uid empty: not known
 */
public record RedisIdentity(String namespace, String pod, String uid) {
  /** The parameter of Redis, which no command can change. */
  static final String PARAMETER = "syslog-ident";

  /** Empty for a Redis that was started without one. */
  static Optional<RedisIdentity> parse(String text) {
    var parts = text.split("/", -1);
    return parts.length == 3
        ? Optional.of(new RedisIdentity(parts[0], parts[1], parts[2]))
        : Optional.empty();
  }

  boolean isKnown() {
    return !namespace.isEmpty();
  }

  /** Whether the pods are numbered pods of the same set. */
  boolean isOfGroup(String someNamespace, String set) {
    return namespace.equals(someNamespace) && NumberedName.of(pod).stem().equals(set);
  }

  /** The same pod under the same name; a pod that was made again has another uid. */
  boolean isPod(String someNamespace, String name) {
    return namespace.equals(someNamespace) && pod.equals(name);
  }

  String set() {
    return NumberedName.of(pod).stem();
  }

  /** For example {@code shop/cache-redis-nodes-main}. */
  public String group() {
    return namespace + "/" + set();
  }

  @Override
  public String toString() {
    return namespace + "/" + pod;
  }
}
