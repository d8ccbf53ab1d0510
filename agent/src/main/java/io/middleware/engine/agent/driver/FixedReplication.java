package io.middleware.engine.agent.driver;

import io.middleware.engine.agent.replication.Role;
import java.util.Optional;

/** A group whose primary is named by the settings and never moves. */
public record FixedReplication(String pod, String primaryPod) implements Driver {
  @Override
  public Role role() {
    return pod.equals(primaryPod) ? Role.PRIMARY : Role.REPLICA;
  }

  @Override
  public Optional<String> primary() {
    return Optional.of(primaryPod);
  }
}
