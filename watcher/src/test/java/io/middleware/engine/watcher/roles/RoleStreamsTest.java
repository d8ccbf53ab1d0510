package io.middleware.engine.watcher.roles;

import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.roles.RoleScene.builder;
import static io.middleware.engine.watcher.roles.RoleScene.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.middleware.engine.watcher.health.HeardRole;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RoleStreamsTest {
  private static final Pod[] ALL = {ready(0), ready(1), ready(2)};

  private final RoleScene scene = new RoleScene();

  @BeforeEach
  void stream() {
    scene.streaming = true;
    scene.settled();
    scene.says("10.0.0.0", "primary", 7);
    scene.says("10.0.0.1", "replica", 7);
    scene.says("10.0.0.2", "replica", 7);
    scene.news.clear();
    scene.asked.clear();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldTellAChangeAtOnceAndAskNobody() {
    // When
    scene.says("10.0.0.1", "primary", 8);
    // Then
    assertThat(scene.news).containsExactly(RoleScene.ID);
    assertThat(scene.asked).isEmpty();
    assertThat(scene.claim(1, ALL)).isEqualTo(new HeardRole("primary", 8, true));
  }

  @Test
  void shouldTellNothingWhenAnAgentRepeatsItself() {
    // When
    scene.says("10.0.0.0", "primary", 7);
    // Then
    assertThat(scene.news).isEmpty();
  }

  @Test
  void shouldPollNobodyWhoSpeaks() {
    // When
    for (var i = 0; i < 60; i++) {
      scene.pass(Duration.ofSeconds(15));
      scene.says("10.0.0.0", "primary", 7);
      scene.says("10.0.0.1", "replica", 7);
      scene.says("10.0.0.2", "replica", 7);
    }
    // Then
    assertThat(scene.asked).isEmpty();
    assertThat(scene.news).isEmpty();
  }

  @Test
  void shouldAskAPodThatIsSilentForTooLongAndKeepItsRole() {
    // Given
    scene.agents.remove("10.0.0.0");
    // When
    scene.pass(Duration.ofMinutes(3));
    // Then
    assertThat(scene.asked).contains("10.0.0.0:9090");
    assertThat(scene.claim(0, ALL)).isEqualTo(new HeardRole("primary", 7, false));
    // and when it speaks again, it is heard by a stream again
    scene.agents.put("10.0.0.0", "primary");
    scene.pass(Duration.ofMinutes(6));
    scene.says("10.0.0.0", "primary", 7);
    assertThat(scene.claim(0, ALL)).isEqualTo(new HeardRole("primary", 7, true));
  }

  @Test
  void shouldNotTakeABrokenStreamForALostRole() {
    // When
    scene.streams.remove("10.0.0.0").ended(false);
    scene.pass(Duration.ofSeconds(2));
    // Then
    assertThat(scene.news).isEmpty();
    assertThat(scene.claim(0, ALL)).isEqualTo(new HeardRole("primary", 7, true));
    assertThat(scene.streams).containsKey("10.0.0.0");
  }

  @Test
  void shouldHoldUpNobodyWhileAStreamOpens() {
    // Given
    var seen = new CompletableFuture<HeardRole>().orTimeout(1, TimeUnit.MINUTES);
    scene.whileOpening = () -> seen.completeAsync(() -> scene.claim(0, ALL)).join();
    // When
    scene.streams.remove("10.0.0.0").ended(false);
    scene.pass(Duration.ofSeconds(2));
    // Then
    assertThat(seen).isCompletedWithValue(new HeardRole("primary", 7, true));
  }

  @Test
  void shouldEndAStreamWhosePodHasGoneWhileItOpened() {
    // Given
    scene.whileOpening = () -> scene.observe(crashed(builder(0)), ready(1), ready(2));
    // When
    scene.streams.remove("10.0.0.0").ended(false);
    scene.pass(Duration.ofSeconds(2));
    // Then
    assertThat(scene.streams).containsOnlyKeys("10.0.0.1", "10.0.0.2");
  }

  @Test
  void shouldOpenStreamsThatBreakAtOnceLessAndLessOften() {
    // When
    var opened = 0;
    for (var i = 0; i < 600; i++) {
      var broken = scene.streams.remove("10.0.0.0");
      if (broken != null) {
        opened++;
        broken.ended(false);
      }
      scene.pass(Duration.ofSeconds(1));
    }
    // Then
    assertThat(opened).isBetween(3, 15);
  }

  @Test
  void shouldKeepTheRoleOfAPodThatDoesNotKnowIt() {
    // When
    scene.streams.get("10.0.0.0").said(Optional.empty());
    // Then
    assertThat(scene.claim(0, ALL)).isEqualTo(new HeardRole("primary", 7, false));
    assertThat(scene.news).containsExactly(RoleScene.ID);
  }

  @Test
  void shouldSeeASwitchoverByWhatPodsSay() {
    // When
    scene.switchedOver("p1 10.0.0.1 now");
    scene.observe(ALL);
    scene.says("10.0.0.0", "replica", 8);
    scene.says("10.0.0.1", "primary", 8);
    // Then
    assertThat(scene.observedSwitchover(ALL)).isEqualTo("p1 10.0.0.1 now");
  }

  @Test
  void shouldEndTheStreamsOfPodsThatAreNotAskedAnyMore() {
    // When
    scene.observe(crashed(builder(0)), ready(1), ready(2));
    // Then
    assertThat(scene.streams).containsOnlyKeys("10.0.0.1", "10.0.0.2");
    // and
    scene.roles.forget(RoleScene.ID);
    assertThat(scene.streams).isEmpty();
  }

  @Test
  void shouldPollTheOthersWhenOneThatSpeaksHasAnotherRole() {
    // Given
    scene.streams.get("10.0.0.2").ended(true);
    scene.asked.clear();
    // When
    scene.says("10.0.0.0", "replica", 7);
    scene.pollDue();
    // Then
    assertThat(scene.asked).containsExactly("10.0.0.2:9090");
  }
}
