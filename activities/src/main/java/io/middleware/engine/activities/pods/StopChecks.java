package io.middleware.engine.activities.pods;

import io.middleware.engine.api.App;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.Optional;

/** The checks that must hold just before a pod is stopped: those with {@code before: Pod}. */
public interface StopChecks {
  /** For groups without such checks. */
  StopChecks NONE =
      new StopChecks() {
        @Override
        public boolean exist(App app, GroupRef group) {
          return false;
        }

        @Override
        public Optional<String> refusal(App app, GroupRef group, PodState pod) {
          return Optional.empty();
        }
      };

  /** Whether the group has any. Calls nobody. */
  boolean exist(App app, GroupRef group);

  /**
   * One look, past all caches. A pod that is not ready is not refused while all others are ready,
   * or when none of its containers runs but that of its agent: it serves nobody, and its
   * replacement may be what the others wait for. Otherwise only its agent can tell, as the pod may
   * count for a quorum. The only pod of a group is never refused.
   *
   * @param app with the spec of the change
   * @param pod as read just before
   * @return which check does not hold, what was found and what was expected; also when that is not
   *     known; empty when the pod may be stopped
   */
  Optional<String> refusal(App app, GroupRef group, PodState pod);
}
