package io.middleware.engine.agent.redis;

import java.util.List;

/** Resolves a headless Service at the moment of the call. */
@FunctionalInterface
public interface ServiceAddresses {

  /** The addresses of its pods, ready or not; none when the Service does not exist. */
  List<String> of(String service);
}
