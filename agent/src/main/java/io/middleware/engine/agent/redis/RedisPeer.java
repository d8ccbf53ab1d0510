package io.middleware.engine.agent.redis;

import io.middleware.engine.agent.order.NumberedName;
import io.middleware.engine.agent.redis.ReplicationState.Address;
import java.util.Comparator;

/** A pod of the group, with the current address of its Redis. */
public record RedisPeer(String pod, String host, int port) {
  static final Comparator<RedisPeer> BY_NUMBER =
      Comparator.comparing(p -> NumberedName.of(p.pod()));

  Address address() {
    return new Address(host, port);
  }

  long number() {
    return NumberedName.of(pod).number();
  }
}
