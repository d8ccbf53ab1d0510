package io.middleware.engine.watcher.secrets;

import io.middleware.engine.workflows.port.SecretActivities.LookedUpApp;
import io.middleware.engine.workflows.port.SecretActivities.SeenSecret;
import java.util.List;

/** Reads Secrets as the accounts of the Apps that use them. */
interface SecretReader {

  /**
   * What is known of them; empty when nobody has answered. Blocks until then.
   *
   * @throws io.middleware.engine.watcher.temporal.TemporalUnavailableException when Temporal does
   *     not answer
   * @throws io.temporal.client.WorkflowFailedException when the look has failed
   */
  List<SeenSecret> read(List<LookedUpApp> apps);
}
