package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.Plans.fails;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.FaultKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeletionIT {
  private static final String REMOVE = "remove nodes/shard-0";

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);

  /** The user may have forced it meanwhile, and the failing run does not read the App again. */
  @Test
  void shouldRetryADeletionThatIsRequestedAgainBeforeItFails() {
    // Given
    var deletion = ChangeEnvironment.deletion(7);
    env.cluster.planner = change -> Plans.removal(7, "nodes");
    env.cluster.fault =
        operation -> {
          if (!operation.equals(REMOVE) || !env.isFirst(REMOVE)) {
            return null;
          }
          env.change(deletion);
          return fails(FaultKind.FORBIDDEN, "may not");
        };
    // When
    env.change(deletion);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(env.cluster.ends()).hasSize(2).first().asString().startsWith("7 Failed");
  }
}
