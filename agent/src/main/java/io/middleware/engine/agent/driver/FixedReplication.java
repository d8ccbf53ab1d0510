package io.middleware.engine.agent.driver;

import io.middleware.engine.agent.replication.ReplicationRole;
import java.util.Optional;

/** A group whose primary is named by the settings and never moves. */
public record FixedReplication(String pod, String primaryPod) implements Driver {
  @Override
  public ReplicationRole role() {
    return pod.equals(primaryPod) ? ReplicationRole.PRIMARY : ReplicationRole.REPLICA;
  }

  @Override
  public Optional<String> primary() {
    return Optional.of(primaryPod);
  }
}
