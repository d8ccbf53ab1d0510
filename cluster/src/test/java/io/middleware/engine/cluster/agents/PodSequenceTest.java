package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.task.ExecutionOrder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PodSequenceTest {
  private static final Map<String, PodState> READY =
      Map.of("db-0", ready("db-0", "old"), "db-1", ready("db-1", "old"));
  private static final Map<String, String> ROLES = Map.of("db-0", "primary", "db-1", "replica");

  @Test
  void shouldPutBrokenPodsFirst() {
    assertThat(
            PodSequence.of(
                List.of(unready("db-7", "old")),
                READY,
                order(false, "db-1", "db-0"),
                ROLES,
                Optional.empty()))
        .containsExactly(
            new OutdatedPod("db-7", "uid-of-db-7", Optional.empty()),
            new OutdatedPod("db-1", "uid-of-db-1", Optional.of("replica")),
            new OutdatedPod("db-0", "uid-of-db-0", Optional.of("primary")));
  }

  @Test
  void shouldKeepTheAgentsOrder() {
    assertThat(names(order(false, "db-0", "db-1"))).containsExactly("db-0", "db-1");
  }

  @Test
  void shouldPutThePrimaryLastWhenTheOrderIsOpen() {
    assertThat(names(order(true, "db-0", "db-1"))).containsExactly("db-1", "db-0");
    assertThat(names(new ExecutionOrder(List.of("db-0", "db-1"), false, Optional.of("no answer"))))
        .containsExactly("db-1", "db-0");
  }

  private static List<String> names(ExecutionOrder order) {
    return PodSequence.of(List.of(), READY, order, ROLES, Optional.empty()).stream()
        .map(OutdatedPod::name)
        .toList();
  }

  private static ExecutionOrder order(boolean concurrent, String... names) {
    return new ExecutionOrder(List.of(names), concurrent);
  }
}
