package io.middleware.engine.activities.maintenance;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.agents.FakeAgent.switchesOverTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.operation.SwitchoverStatus;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.OperationAction;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.Operations;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An Operation hands the primary db-0 over to db-1 or db-2. */
@ExtendWith(ApiServer.class)
class GroupSwitchoverIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final AgentChannels channels = new AgentChannels(name -> null);
  private final FakeView view = new FakeView();
  private final OperationOnPods operation;
  private List<FakeAgent> agents;
  private GroupRef group;

  GroupSwitchoverIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.operation = new OperationOnPods(cluster, engine);
  }

  @BeforeEach
  void start() throws IOException {
    var zero = new FakeAgent("127.0.0.10", 0);
    agents =
        List.of(
            zero,
            new FakeAgent("127.0.0.11", zero.port()),
            new FakeAgent("127.0.0.12", zero.port()));
    view.sets.add(set(3, 4));
    for (var i = 0; i < agents.size(); i++) {
      view.pods.add(readyAt("db-" + i, "new", "127.0.0.1" + i));
    }
    zero.role = "primary";
    zero.switchover = switchesOverTo("db-1");
  }

  @AfterEach
  void stop() {
    channels.close();
    agents.forEach(FakeAgent::close);
  }

  @Test
  void shouldHandOverOnceAndRecordIt() {
    // Given
    begin();
    // When
    switchOver();
    switchOver();
    // Then
    assertThat(calls()).containsExactly("switch over %s/g".formatted(uid()));
    assertThat(recorded()).isEqualTo(new SwitchoverStatus("g", "db-0", "uid-of-db-0", "db-1"));
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals("PrimarySwitchedOver"))
                    .singleElement()
                    .satisfies(
                        event ->
                            assertThat(event.getNote())
                                .isEqualTo(
                                    "pod db-0 has switched over to db-1, because Operation"
                                        + " once (Switchover) asks for it")));
  }

  @Test
  void shouldNotHandOverAgainWhenTheAnswerWasLost() {
    // Given a process that died after the switchover
    begin();
    agents.getFirst().switchover =
        to -> {
          move(0, 1);
          to.onError(Status.UNIMPLEMENTED.asRuntimeException());
        };
    assertThatThrownBy(this::switchOver).isInstanceOf(ApplicationFailure.class);
    assertThat(recorded()).isEqualTo(new SwitchoverStatus("g", "db-0", "uid-of-db-0", null));
    agents.get(1).switchover = switchesOverTo("db-2");
    // When
    switchOver();
    // Then
    assertThat(agents.get(1).calls).doesNotContain("switch over %s/g".formatted(uid()));
    assertThat(recorded().to()).isEqualTo("db-1");
  }

  @Test
  void shouldHandOverToTheNamedPod() {
    // Given
    begin("db-2");
    agents.getFirst().switchover = switchesOverTo("db-2");
    // When
    switchOver();
    // Then
    assertThat(agents.getFirst().successors).containsExactly("db-2");
    assertThat(recorded().to()).isEqualTo("db-2");
  }

  @Test
  void shouldDoNothingWhenTheNamedPodIsThePrimary() {
    // Given
    begin("db-0");
    // When
    switchOver();
    // Then
    assertThat(calls()).isEmpty();
    assertThat(recorded().to()).isEqualTo("db-0");
  }

  @Test
  void shouldHandOverToTheNamedPodAlsoWhenThePrimaryHasMoved() {
    // Given an attempt before a failover
    begin("db-2");
    agents.getFirst().switchover = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    assertFails("AgentsUnavailable", "pod db-0 is still the primary of group g");
    move(0, 1);
    agents.get(1).switchover = switchesOverTo("db-2");
    // When
    switchOver();
    // Then
    assertThat(recorded()).isEqualTo(new SwitchoverStatus("g", "db-0", "uid-of-db-0", "db-2"));
  }

  @Test
  void shouldSayWhenAnOlderAgentHasChosenAnotherPod() {
    begin("db-2");
    assertFails(
        "AgentRefused",
        "pod db-0 has switched over to db-1 and not to db-2: its agent does not know named successors");
    assertThat(recorded().to()).isNull();
  }

  @Test
  void shouldSayWhyAnAgentRefuses() {
    // Given
    begin();
    agents.getFirst().switchover =
        to ->
            to.onError(
                Status.FAILED_PRECONDITION.withDescription("db-1 is behind").asRuntimeException());
    // When Then
    assertFails("AgentRefused", "pod db-0 is still the primary of group g", "db-1 is behind");
  }

  @Test
  void shouldSayThatTheGroupHasNoPrimary() {
    // Given
    begin();
    agents.getFirst().role = "sentinel";
    // When Then
    assertFails(
        "AgentRefused",
        "group g of component db has no primary: db-0 is sentinel, db-1 is replica, db-2 is replica");
  }

  @Test
  void shouldWaitForThePrimaryThatDoesNotAnswer() {
    // Given
    begin();
    agents.getFirst().close();
    // When Then
    assertFails("AgentsUnavailable", "has no primary: db-0 does not answer");
  }

  private void move(int from, int to) {
    agents.get(from).role = "replica";
    agents.get(to).role = "primary";
  }

  private void assertFails(String kind, String... texts) {
    assertThatThrownBy(this::switchOver)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(kind);
              assertThat(e.getOriginalMessage()).contains(texts);
            });
  }

  private void switchOver() {
    var policy = new AgentPolicy(Duration.ofSeconds(2), 1, 1024);
    new GroupSwitchover(
            operation.steps(view),
            new Operations(cluster.client()),
            new AgentQueries(channels, policy),
            new AgentActions(channels, policy),
            new AgentEndpoint(agents.getFirst().port(), ""),
            group)
        .run();
  }

  private void begin(String... pods) {
    group = operation.begin(OperationAction.SWITCHOVER, ChangeType.SWITCHOVER, pods);
  }

  private SwitchoverStatus recorded() {
    return operation.status().switchover("g").orElseThrow();
  }

  private String uid() {
    return group.change().operation().orElseThrow().uid();
  }

  private List<String> calls() {
    return agents.stream()
        .flatMap(agent -> agent.calls.stream())
        .filter(call -> !call.equals("role"))
        .toList();
  }
}
