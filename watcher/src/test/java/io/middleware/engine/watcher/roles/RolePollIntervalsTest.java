package io.middleware.engine.watcher.roles;

import static io.middleware.engine.watcher.Objects.crashed;
import static io.middleware.engine.watcher.roles.RoleScene.builder;
import static io.middleware.engine.watcher.roles.RoleScene.ready;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RolePollIntervalsTest {
  private final RoleScene scene = new RoleScene();

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void shouldAskAFewPodsSoonAfterAStart() {
    // Given
    scene.agents.putAll(Map.of("10.0.0.0", "primary", "10.0.0.1", "replica"));
    scene.show("primary", "replica");
    // When
    scene.observe(ready(0), ready(1));
    scene.pass(Duration.ofSeconds(3));
    // Then
    assertThat(scene.asked).contains("10.0.0.0:9090", "10.0.0.1:9090");
  }

  @Test
  void shouldAskNowAndThenWhileAChangeRuns() {
    // Given
    scene.settled();
    scene.asked.clear();
    scene.app = RoleScene.CHANGING;

    // When: a pod comes or goes every 100 ms
    for (int i = 0; i < 100; i++) {
      scene.observe(i % 2 == 0 ? crashed(builder(2)) : ready(2), ready(0), ready(1));
      scene.pass(Duration.ofMillis(100));
    }
    scene.pass(Duration.ofSeconds(2));

    // Then
    assertThat(scene.asked).hasSizeBetween(20, 40);
    assertThat(scene.observe(ready(0), ready(1), ready(2))).hasSize(3);
  }

  @Test
  void shouldKeepLookingForAPrimaryUntilThereIsOne() {
    // Given
    scene.settled();
    scene.observe(crashed(builder(0)), ready(1), ready(2));

    // When
    scene.pass(Duration.ofSeconds(5));
    scene.agents.put("10.0.0.1", "primary");
    scene.pass(Duration.ofSeconds(2));

    // Then
    assertThat(scene.observe(crashed(builder(0)), ready(1), ready(2)))
        .containsEntry("uid-p1", "primary");
  }

  @Test
  void shouldSeeAFailoverThatNoPodShowsWithinHalfAMinute() {
    // Given
    scene.settled();
    scene.agents.putAll(Map.of("10.0.0.0", "replica", "10.0.0.2", "primary"));

    // When
    scene.pass(Duration.ofSeconds(30));

    // Then
    assertThat(scene.observe(ready(0), ready(1), ready(2)))
        .isEqualTo(Map.of("uid-p0", "replica", "uid-p1", "replica", "uid-p2", "primary"));
  }

  @Test
  void shouldAskSeldomWhileNothingMoves() {
    // Given
    scene.settled();
    scene.asked.clear();
    scene.news.clear();

    // When
    scene.pass(Duration.ofMinutes(5));

    // Then
    assertThat(scene.asked).hasSizeBetween(12 + 2 * 14, 12 + 2 * 15 + 4);
    assertThat(scene.news).isEmpty();
  }

  @Test
  void shouldAskAgentsThatDoNotAnswerEverMoreSeldom() {
    // When
    scene.observe(ready(0));
    scene.pass(Duration.ofMinutes(10));
    var soon = scene.asked.size();
    scene.pass(Duration.ofMinutes(60));

    // Then
    assertThat(soon).isBetween(5, 12);
    assertThat(scene.asked.size() - soon).isLessThanOrEqualTo(12);
    assertThat(scene.news).isEmpty();
  }

  @Test
  void shouldAskFewOfAMiddlewareWithoutRoles() {
    // Given
    scene.agents.putAll(Map.of("10.0.0.0", "", "10.0.0.1", ""));

    // When
    scene.observe(ready(0), ready(1));
    scene.pass(Duration.ofMinutes(60));

    // Then
    assertThat(scene.asked).hasSizeLessThanOrEqualTo(2 * 14);
    assertThat(scene.observe(ready(0), ready(1))).isEmpty();
    assertThat(scene.news).isEmpty();
  }

  @Test
  void shouldNotRunAfterARoleThatFlaps() {
    // Given
    scene.observe(ready(0));

    // When
    for (int i = 0; i < 600; i++) {
      scene.agents.put("10.0.0.0", i % 2 == 0 ? "primary" : "replica");
      scene.pass(Duration.ofMillis(100));
    }

    // Then
    assertThat(scene.asked).hasSizeLessThanOrEqualTo(60 * 2 + 1);
  }
}
