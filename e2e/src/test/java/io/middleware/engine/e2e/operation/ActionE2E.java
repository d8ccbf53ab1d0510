package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An Operation runs an action that the Plugin offers: on each pod once, whatever happens. */
@EndToEnd
class ActionE2E {
  private static final String POD = "locks-ensemble-main-";
  private static final String ACTIONS_RUN = "agent.local.middleware.io/actions-run";

  private final Shop shop;
  private final AppOperation snapshot;

  ActionE2E(Shop shop) {
    this.shop = shop;
    this.snapshot = new AppOperation(shop, "snapshot-1", "snapshot", "locks");
  }

  @BeforeEach
  void deploy() {
    shop.applyPlugin(shop.file("e2e/src/test/resources/quorum/plugin.yaml"));
    shop.apply(shop.file("e2e/src/test/resources/quorum/app.yaml"));
    shop.awaitReady("locks");
  }

  @Test
  void shouldRunOnEachPodTheLeaderLast() {
    // When
    shop.apply(shop.file("e2e/src/test/resources/quorum/operation-action.yaml"));
    // Then
    var status = snapshot.ends("Succeeded");
    assertThat(status.runs())
        .extracting(ActionRun::pod, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(
            tuple(POD + "1", "Succeeded", 0, "keep=5\n"),
            tuple(POD + "2", "Succeeded", 0, "keep=5\n"),
            tuple(POD + "0", "Succeeded", 0, "keep=5\n"));
    assertThat(actionsRun()).containsOnly("1 snapshot keep=5");
    assertThat(shop.app("locks").getStatus().change().generation()).isEqualTo(1);
  }

  @Test
  void shouldEndWhenItsTimeIsOverAndTheAgentIsStillAway() {
    // Given
    shop.annotatePods("agent.local.middleware.io/fault=dead", POD + "1");
    // When
    var status = snapshot.apply(", timeout: 30s, maxRetries: 1").ends("Failed");
    // Then
    assertThat(status.tasks().getFirst().error().reason()).isEqualTo("TaskTimedOut");
    assertThat(status.message()).contains(POD + "1");
    assertThat(status.runs()).extracting(ActionRun::pod).containsExactly(POD + "1");
  }

  private List<String> actionsRun() {
    return shop.pods("locks").stream()
        .map(pod -> pod.getMetadata().getAnnotations().get(ACTIONS_RUN))
        .toList();
  }
}
