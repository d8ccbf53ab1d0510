package io.middleware.engine.workflows.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PodOrderTest {
  @Test
  void shouldTakeUpToBatchSize() {
    assertThat(names(order(false, "replica", "replica", "primary").first(2)))
        .containsExactly("p0", "p1");
    assertThat(names(order(false, "replica", "primary").first(5))).containsExactly("p0", "p1");
  }

  @Test
  void shouldTakeAPrimaryThatSwitchesOverAlone() {
    var order = order(true, "replica", "primary", "replica");

    assertThat(names(order.first(3))).containsExactly("p0");
    assertThat(names(order.after(1).first(3))).containsExactly("p1");
    assertThat(names(order.after(2).first(3))).containsExactly("p2");
  }

  private static PodOrder order(boolean switchover, String... roles) {
    var pods =
        Stream.iterate(0, i -> i < roles.length, i -> i + 1)
            .map(i -> new OutdatedPod("p" + i, "uid-" + i, Optional.of(roles[i])))
            .toList();
    return new PodOrder(pods, Optional.empty(), new AgentEndpoint(9090, ""), switchover);
  }

  private static List<String> names(List<OutdatedPod> pods) {
    return pods.stream().map(OutdatedPod::name).toList();
  }
}
