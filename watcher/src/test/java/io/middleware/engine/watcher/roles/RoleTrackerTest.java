package io.middleware.engine.watcher.roles;

import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.roles.RoleScene.builder;
import static io.middleware.engine.watcher.roles.RoleScene.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.api.AgentsByPlugin;
import io.middleware.engine.api.AgentsByPlugin.Agents;
import io.middleware.engine.api.InventoryItem;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.Endpoint;
import io.middleware.engine.api.plugin.EndpointRole;
import io.middleware.engine.watcher.health.EndpointService;
import io.middleware.engine.watcher.health.RoleState;
import io.middleware.engine.workflows.port.AgentEndpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RoleTrackerTest {
  private final RoleScene scene = new RoleScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldAskAPodAsSoonAsItIsReady() {
    // Given
    scene.agents.putAll(Map.of("10.0.0.0", "primary", "10.0.0.1", "replica"));

    // When
    var before = scene.observe(ready(0), ready(1));
    scene.pollDue();
    var after = scene.observe(ready(0), ready(1));

    // Then
    assertThat(before).isEmpty();
    assertThat(after).isEqualTo(Map.of("uid-p0", "primary", "uid-p1", "replica"));
    assertThat(scene.asked).containsExactlyInAnyOrder("10.0.0.0:9090", "10.0.0.1:9090");
    assertThat(scene.news).contains(RoleScene.ID);
  }

  @Test
  void shouldNotAskAPodThatIsNotReady() {
    // When
    scene.observe(crashed(builder(0)));
    scene.pass(Duration.ofMinutes(10));

    // Then
    assertThat(scene.asked).isEmpty();
  }

  @Test
  void shouldNotAskAPodThatOnlyCarriesTheLabels() {
    // Given
    scene.inventory = List.of(new InventoryItem("apps/v1", "StatefulSet", "p"));
    scene.show();

    // When
    scene.observe(ready(0));
    scene.pass(Duration.ofMinutes(10));

    // Then
    assertThat(scene.asked).isEmpty();
  }

  @Test
  void shouldForgetTheRoleOfAPodThatIsNoLongerReady() {
    // Given
    scene.settled();

    // When
    var after = scene.observe(crashed(builder(0)), ready(1), ready(2));

    // Then
    assertThat(after).doesNotContainKey("uid-p0");
  }

  @Test
  void shouldAskTheOthersAtOnceWhenAPodGoes() {
    // Given
    scene.settled();

    // When
    scene.observe(crashed(builder(0)), ready(1), ready(2));
    scene.agents.put("10.0.0.1", "primary");
    scene.pollDue();

    // Then
    assertThat(scene.observe(crashed(builder(0)), ready(1), ready(2)))
        .isEqualTo(Map.of("uid-p1", "primary", "uid-p2", "replica"));
  }

  @Test
  void shouldTellNewsWhenAllHaveBeenHeard() {
    // Given
    scene.agents.putAll(
        Map.of("10.0.0.0", "primary", "10.0.0.1", "replica", "10.0.0.2", "replica"));

    // When
    scene.observe(ready(0), ready(1), ready(2));
    scene.pollDue();

    // Then
    assertThat(scene.news).containsExactly(RoleScene.ID);
  }

  @Test
  void shouldKeepTheLastKnownRoleWhenTheAgentDoesNotAnswer() {
    // Given
    scene.settled();

    // When
    scene.agents.clear();
    scene.pass(Duration.ofMinutes(2));

    // Then
    assertThat(scene.observe(ready(0), ready(1), ready(2)))
        .containsEntry("uid-p0", "primary")
        .hasSize(3);
  }

  @Test
  void shouldAskAllAtOnceAfterASwitchover() {
    // Given
    scene.settled();
    scene.asked.clear();
    // When
    scene.switchedOver("p1 10.0.0.1 now");
    scene.agents.putAll(Map.of("10.0.0.0", "replica", "10.0.0.1", "primary"));
    var before = scene.observedSwitchover(ready(0), ready(1), ready(2));
    scene.pollDue();
    // Then
    assertThat(before).isEmpty();
    assertThat(scene.asked).hasSize(3);
    assertThat(scene.observe(ready(0), ready(1), ready(2))).containsEntry("uid-p1", "primary");
    assertThat(scene.observedSwitchover(ready(0), ready(1), ready(2))).isEqualTo("p1 10.0.0.1 now");
  }

  @Test
  void shouldNotTakeOldRolesForNewerThanASwitchover() {
    // Given
    scene.settled();
    scene.agents.clear();
    // When
    scene.switchedOver("p1 10.0.0.1 now");
    scene.observe(ready(0), ready(1), ready(2));
    scene.pass(Duration.ofMinutes(1));
    // Then
    assertThat(scene.observedSwitchover(ready(0), ready(1), ready(2))).isEmpty();
    // and when the new primary is heard at last
    scene.agents.putAll(
        Map.of("10.0.0.0", "replica", "10.0.0.1", "primary", "10.0.0.2", "replica"));
    scene.pass(Duration.ofMinutes(6));
    assertThat(scene.observedSwitchover(ready(0), ready(1), ready(2))).isEqualTo("p1 10.0.0.1 now");
  }

  @Test
  void shouldSeeTwoPrimariesWithinHalfAMinute() {
    // Given
    scene.settled();
    scene.agents.put("10.0.0.2", "primary");
    // When
    scene.pass(Duration.ofSeconds(22));
    // Then
    assertThat(scene.observe(ready(0), ready(1), ready(2)))
        .containsEntry("uid-p0", "primary")
        .containsEntry("uid-p2", "primary");
    assertThat(scene.inconsistentFor(ready(0), ready(1), ready(2))).isPresent();
    // and when one gives way
    scene.agents.put("10.0.0.0", "replica");
    scene.pass(Duration.ofSeconds(22));
    assertThat(scene.inconsistentFor(ready(0), ready(1), ready(2))).isEmpty();
  }

  @Test
  void shouldSeeThatNoneIsThePrimaryAnyMoreAlsoAfterAStart() {
    // Given
    scene.settled();
    scene.agents.put("10.0.0.0", "replica");
    // When
    scene.pass(Duration.ofSeconds(50));
    // Then
    assertThat(scene.inconsistentFor(ready(0), ready(1), ready(2)).orElseThrow())
        .isGreaterThan(Duration.ofSeconds(15));
    // and when one agent does not answer, whose pod may be it
    scene.agents.remove("10.0.0.1");
    scene.pass(Duration.ofMinutes(1));
    assertThat(scene.inconsistentFor(ready(0), ready(1), ready(2))).isEmpty();
  }

  @Test
  void shouldNotMissAPrimaryWhereThereNeverWasOne() {
    // Given
    scene.agents.putAll(Map.of("10.0.0.0", "sentinel", "10.0.0.1", "sentinel"));
    scene.observe(ready(0), ready(1));
    // When
    scene.pass(Duration.ofMinutes(5));
    // Then
    assertThat(scene.inconsistentFor(ready(0), ready(1))).isEmpty();
  }

  @Test
  void shouldMissAPrimaryThatAServicePromises() {
    // Given
    scene.services =
        List.of(
            new EndpointService(
                "cache-rw",
                "uid-rw",
                "nodes",
                "shard-0",
                new Endpoint("rw", EndpointRole.PRIMARY, 6379, 40, null),
                Optional.empty()));
    scene.agents.putAll(Map.of("10.0.0.0", "replica", "10.0.0.1", "replica"));
    scene.observe(ready(0), ready(1));
    // When
    scene.pass(Duration.ofMinutes(1));
    // Then
    assertThat(scene.inconsistentFor(ready(0), ready(1)).orElseThrow())
        .isGreaterThan(Duration.ofSeconds(40));
    assertThat(scene.update(ready(0), ready(1)).byGroup().values())
        .singleElement()
        .extracting(RoleState::failover)
        .isEqualTo(Duration.ofSeconds(40));
  }

  @Test
  void shouldKnowHowLongAPodHasHadATrouble() {
    // Given
    scene.settled();
    scene.troubles.put("10.0.0.1", "its link is down");
    scene.news.clear();
    // When
    scene.pass(Duration.ofSeconds(45));
    // Then
    assertThat(scene.update(ready(0), ready(1), ready(2)).byGroup().values())
        .singleElement()
        .satisfies(
            group ->
                assertThat(group.troubles())
                    .singleElement()
                    .satisfies(
                        it -> {
                          assertThat(it.pod()).isEqualTo("p1");
                          assertThat(it.text()).isEqualTo("its link is down");
                          assertThat(it.lasting()).isGreaterThan(Duration.ofSeconds(20));
                        }));
    assertThat(scene.news).hasSize(1);
    // and when it is over
    scene.troubles.clear();
    scene.pass(Duration.ofSeconds(30));
    assertThat(scene.update(ready(0), ready(1), ready(2)).byGroup().values())
        .allSatisfy(group -> assertThat(group.troubles()).isEmpty());
  }

  @Test
  void shouldForgetAPrimaryThatIsSilentWhenAnotherOneSaysThatItIs() {
    // Given
    scene.settled();
    // When
    scene.agents.remove("10.0.0.0");
    scene.agents.put("10.0.0.1", "primary");
    scene.pass(Duration.ofSeconds(50));
    // Then
    assertThat(scene.observe(ready(0), ready(1), ready(2)))
        .isEqualTo(Map.of("uid-p1", "primary", "uid-p2", "replica"));
    assertThat(scene.inconsistentFor(ready(0), ready(1), ready(2))).isEmpty();
  }

  @Test
  void shouldBelieveTheStatusAfterAStart() {
    // Given
    scene.show("primary", "replica");
    scene.agents.putAll(Map.of("10.0.0.0", "primary", "10.0.0.1", "replica"));

    // When
    var first = scene.observe(ready(0), ready(1));
    scene.pollDue();

    // Then
    assertThat(first).isEqualTo(Map.of("uid-p0", "primary", "uid-p1", "replica"));
    assertThat(scene.asked).hasSizeLessThan(2);
    scene.pass(Duration.ofSeconds(30));
    assertThat(scene.asked).contains("10.0.0.0:9090", "10.0.0.1:9090");
    assertThat(scene.news).isEmpty();
  }

  /** In the middle of a change to another Plugin there are pods of both. */
  @Test
  void shouldAskEachPodAsItsOwnPluginSays() {
    // Given
    var recorded =
        new AgentsByPlugin(Map.of())
            .with("redis-v1.0.0", new Agents(9090, "", false))
            .with("redis-v1.1.0", new Agents(9191, "", false))
            .with("redis-v1.2.0", new Agents(0, "", false));
    scene.group.getMetadata().setAnnotations(Map.of(Labels.AGENTS, recorded.text()));

    // When
    scene.observe(of("redis-v1.0.0", 0), of("redis-v1.1.0", 1), of("redis-v1.2.0", 2));
    scene.pass(Duration.ofSeconds(30));

    // Then
    assertThat(Set.copyOf(scene.asked)).containsExactlyInAnyOrder("10.0.0.0:9090", "10.0.0.1:9191");
  }

  private static Pod of(String plugin, int number) {
    var pod = ready(number);
    pod.getMetadata().getLabels().put(Labels.PLUGIN, plugin);
    return pod;
  }

  @Test
  void shouldAskNobodyWhenThePluginHasNoAgents() {
    // Given
    scene.endpoint = AgentEndpoint.NONE;

    // When
    scene.observe(ready(0));
    scene.pass(Duration.ofMinutes(10));

    // Then
    assertThat(scene.asked).isEmpty();
  }

  @Test
  void shouldAskNobodyOfAnAppThatIsGone() {
    // Given
    scene.settled();
    scene.asked.clear();

    // When
    scene.roles.forget(RoleScene.ID);
    scene.pass(Duration.ofMinutes(10));

    // Then
    assertThat(scene.asked).isEmpty();
  }
}
