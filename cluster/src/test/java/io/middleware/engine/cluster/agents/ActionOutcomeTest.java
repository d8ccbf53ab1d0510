package io.middleware.engine.cluster.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionRefused;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnknown;
import org.junit.jupiter.api.Test;

class ActionOutcomeTest {

  @Test
  void shouldGiveTheValueOfAnActionThatIsDone() {
    assertThat(result(new ActionDone<>("db-1"))).isEqualTo("db-1");
  }

  @Test
  void shouldSayWhyAnActionIsNotDone() {
    assertThat(result(new ActionRefused<>("split brain"))).isEqualTo("AGENT_REFUSED: split brain");
    assertThat(result(new ActionUnknown<>("too old")))
        .isEqualTo("AGENT_REFUSED: too old; update the agent");
    assertThat(result(new ActionUnanswered<>("silence"))).isEqualTo("AGENTS_UNAVAILABLE: silence");
  }

  private static String result(ActionOutcome<String> outcome) {
    try {
      return outcome.orThrow(
          "; update the agent", (kind, why) -> new IllegalStateException(kind + ": " + why));
    } catch (IllegalStateException e) {
      return e.getMessage();
    }
  }
}
