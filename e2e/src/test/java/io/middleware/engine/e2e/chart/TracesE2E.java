package io.middleware.engine.e2e.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Story;
import io.middleware.engine.process.trace.TraceCollector;
import io.middleware.engine.process.trace.TraceCollector.CollectedSpan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each change is one trace, from the watcher's signal to the calls of the agents. */
@EndToEnd
@Disruptive("starts watcher and worker again, with a collector of traces")
class TracesE2E {
  private static final String SIGNAL = "watcher SignalWithStartWorkflow:AppChangeWorkflow";
  private static final String RUN = " > worker RunWorkflow:AppChangeWorkflow";
  private static final String COMPONENT =
      " > worker StartChildWorkflow:ComponentChangeWorkflow"
          + " > worker RunWorkflow:ComponentChangeWorkflow";
  private static final String ACTIVITY = " > worker StartActivity:%1$s > worker RunActivity:%1$s";

  private static TraceCollector collector;

  @BeforeAll
  static void collect() throws IOException {
    collector = new TraceCollector();
    restart(collector.environment());
  }

  @AfterAll
  static void stopCollecting() {
    restart(Map.of());
    collector.close();
  }

  private static void restart(Map<String, String> environment) {
    for (var process : List.of("watcher", "worker")) {
      Engine.dev("stop", process);
      Engine.start(process, environment);
    }
  }

  @Test
  void shouldTraceAChangeFromItsSignalToTheCallsOfItsAgents(Shop shop) {
    // Given
    var story = new Story(shop).deployed();
    // When
    story.upgrading().endsWell();
    // Then
    await()
        .ignoreExceptions()
        .untilAsserted(
            () ->
                assertThat(pathsOfUpgrade())
                    .allMatch(path -> path.startsWith(SIGNAL))
                    .contains(
                        SIGNAL + RUN + ACTIVITY.formatted("Plan"),
                        call("OpenComponent", "middleware.agent.v1.Agent2/GetGroupOrder"),
                        call("ApplyGroup", "middleware.agent.v1.Agent2/GetPodOrder"),
                        call("ReplacePod", "middleware.tool.v1.ToolInvoker/Switchover")));
    assertThat(collector.spans("RunWorkflow:AppChangeWorkflow"))
        .as("traces of the deployment and of the upgrade")
        .extracting(CollectedSpan::trace)
        .doesNotHaveDuplicates()
        .hasSize(2);
    assertThat(collector.spans("middleware."))
        .as("calls of agents")
        .extracting(CollectedSpan::trace)
        .containsOnly(upgrade());
  }

  private static String call(String step, String method) {
    return SIGNAL + RUN + COMPONENT + ACTIVITY.formatted(step) + " > worker " + method;
  }

  /** Only the upgrade asks the agents. */
  private static String upgrade() {
    return collector.spans("middleware.agent").getFirst().trace();
  }

  private static List<String> pathsOfUpgrade() {
    return collector.spans().stream()
        .filter(span -> span.trace().equals(upgrade()))
        .map(TracesE2E::path)
        .toList();
  }

  /** The span behind all those above it, each as its process and its name. */
  private static String path(CollectedSpan span) {
    var own = span.service().replace("middleware-", "") + " " + span.name();
    return collector.spans().stream()
        .filter(other -> other.id().equals(span.parent()))
        .findFirst()
        .map(parent -> path(parent) + " > " + own)
        .orElse(own);
  }
}
