package io.middleware.engine.agent.redis;

import java.util.List;

/** Who is behind a headless Service at the moment of the call. */
@FunctionalInterface
public interface ServiceAddresses {

  /** Addresses of its pods, ready or not; none when there is no such Service. */
  List<String> of(String service);
}
