package io.middleware.engine.activities.rollout;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The pod db-0, which was a replica when the pods were put in order, and the primary since. */
class RoleNowTest {
  private static final PodState POD = readyAt("db-0", "old", "127.0.0.1");

  private Optional<Agents> recorded = Optional.empty();
  private final AgentChannels channels =
      new AgentChannels(name -> null, List.of(), pod -> recorded);
  private FakeAgent agent;
  private AgentEndpoint declared;
  private String lastPrimary = "db-0";

  @BeforeEach
  void start() throws IOException {
    agent = new FakeAgent("127.0.0.1", 0);
    declared = new AgentEndpoint(agent.port(), "");
  }

  @AfterEach
  void stop() {
    channels.close();
    agent.close();
  }

  @Test
  void shouldBeWhatTheAgentSays() {
    assertThat(role(true)).isEqualTo("replica");
  }

  @Test
  void shouldBePrimaryWhenTheAgentIsSilentSinceItWas() {
    agent.close();
    assertThat(role(true)).isEqualTo("primary");
    lastPrimary = "db-1";
    assertThat(role(true)).isEmpty();
  }

  @Test
  void shouldNotMatterWhereThereIsNoSwitchover() {
    agent.close();
    assertThat(role(false)).isEmpty();
  }

  @Test
  void shouldAskAPodOfAPluginWithAgentsAlsoWhenTheNewOneHasNone() {
    // Given
    declared = AgentEndpoint.NONE;
    recorded = Optional.of(new Agents(agent.port(), "", true));
    // Then
    assertThat(role(true)).isEqualTo("replica");
  }

  private String role(boolean switchover) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 1, 1024);
    var change = new ChangeRef("shop", "cache", "uid", 7, "run");
    var task = new TaskRef(change, "7-versionupgrade-db", ChangeType.VERSION_UPGRADE, "db");
    var request =
        new ReplaceRequest(
            new GroupRef(task, "g"),
            new AppliedStatefulSet("db", 4, "set-uid"),
            new OutdatedPod("db-0", "uid-of-db-0", Optional.of("replica")),
            1,
            declared,
            false,
            switchover);
    return new RoleNow(
            new AgentQueries(channels, policy),
            (group, pods) ->
                pods.stream().map(PodState::name).filter(lastPrimary::equals).findFirst())
        .of(request, List.of(POD));
  }
}
