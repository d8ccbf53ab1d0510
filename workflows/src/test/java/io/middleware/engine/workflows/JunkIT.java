package io.middleware.engine.workflows;

import static io.middleware.engine.workflows.ChangeEnvironment.request;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.workflows.request.ChangeRequest;
import io.middleware.engine.workflows.request.ChangeTarget;
import io.temporal.api.enums.v1.EventType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Junk is refused with a reason; nothing changes, and no workflow task fails. */
class JunkIT {

  @RegisterExtension final ChangeEnvironment env = ChangeEnvironment.withApp(false);
  private final FakeCluster cluster = env.cluster;

  private static final String MEGABYTE = "junk".repeat(250_000);
  private static final List<String> NODES = List.of("7-config-nodes");

  @ParameterizedTest
  @ValueSource(strings = {"approve", "cancelChange", "cancelTasks", "retryTasks"})
  void shouldRefuseJunk(String request) {
    // Given
    var refusals = new ArrayList<String>();
    env.during(
        "replace s0-1",
        () -> {
          for (Object junk : junk(request)) {
            refusals.add(env.refusal(request, junk));
            env.open().signal(request, junk);
          }
          refusals.add(env.refusal("forget", "all"));
          env.open().signal("forget", MEGABYTE);
          env.open().signal("changed", MEGABYTE);
          env.open().signal("changed", Map.of("generation", 99));
          env.open()
              .signal(
                  "changed",
                  new ChangeRequest(new ChangeTarget("shop", "other", "uid-2", 9), 99, true));
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(refusals).allSatisfy(message -> assertThat(message).hasSizeBetween(5, 1200));
    assertThat(refusals).noneMatch(message -> message.startsWith("accepted"));
    assertThat(cluster.lastReport().notes().requests())
        .hasSize(junk(request).size() + 1)
        .allMatch(line -> line.contains(" refused: ") && line.length() < 1200);
    assertThat(cluster.ends()).containsExactly("7 Succeeded");
    assertThat(env.events())
        .doesNotContain(
            EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED,
            EventType.EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED);
  }

  private static List<Object> junk(String request) {
    return switch (request) {
      case "approve" -> List.of(MEGABYTE, 42, List.of(MEGABYTE), Map.of("hash", MEGABYTE));
      case "cancelChange" ->
          List.of(
              MEGABYTE,
              true,
              List.of(MEGABYTE),
              Map.of("generation", "7"),
              Map.of("generation", 7.5),
              Map.of("generation", List.of(MEGABYTE)),
              Map.of("generatoin", 7),
              Map.of(MEGABYTE, 7),
              Map.of("cancelTaskIds", List.of("7-config-nodes")));
      case "cancelTasks" -> tasks("cancelTaskIds", Map.of("cancelTaskIds", NODES, "force", true));
      default -> tasks("retryTaskIds", Map.of("retryTaskIds", NODES, "resetDependencies", "yes"));
    };
  }

  private static List<Object> tasks(String field, Object more) {
    return List.of(
        MEGABYTE,
        42,
        List.of(MEGABYTE),
        Map.of(field, 5),
        Map.of(field, List.of(MEGABYTE)),
        Map.of(field, List.of(List.of(1))),
        Collections.singletonMap(field, null),
        Map.of(field, Collections.singletonList(null)),
        more);
  }

  @Test
  void shouldShortenTheMessageOfADegradedOrder() {
    // Given
    env.during(
        "replace s0-1",
        () -> {
          env.open().signal("orderDegraded", new Object[] {null});
          env.open().signal("orderDegraded", MEGABYTE);
        });
    // When
    env.change(7);
    // Then
    assertThat(env.result()).isEqualTo("Succeeded");
    assertThat(cluster.lastReport().notes().degradedOrder().orElseThrow()).hasSizeLessThan(1100);
  }
}
