package io.middleware.engine.watcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.App;
import io.middleware.engine.api.AppStatus;
import io.middleware.engine.api.AppStatusBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of the pods db-0 to db-3 and their claims. */
class VolumeHealthTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:01:00Z");
  private static final String EARLIER = "2026-01-01T00:00:30Z";

  private final App app = new App();
  private final List<PersistentVolumeClaim> claims = new ArrayList<>();
  private final List<Pod> pods = new ArrayList<>();

  @BeforeEach
  void start() {
    app.getMetadata().setName("cache");
    app.getMetadata().setGeneration(7L);
    for (var number = 0; number < 4; number++) {
      pods.add(pod("db-" + number));
      claims.add(claim("data-db-" + number, null));
    }
  }

  @Test
  void shouldSayNothingOfClaimsThatStay() {
    assertThat(health().atRisk(NOW)).isEmpty();
    assertThat(in(bare()).conditions()).isEmpty();
    assertThat(health().nextCheck(NOW)).isEmpty();
  }

  @Test
  void shouldNameTheClaimsThatGoWithTheirPods() {
    // Given
    claims.set(1, claim("data-db-1", EARLIER));
    // When
    var status = in(bare());
    // Then
    assertThat(status.conditions())
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.getType()).isEqualTo("VolumesAtRisk");
              assertThat(condition.getStatus()).isEqualTo("True");
              assertThat(condition.getReason()).isEqualTo("ClaimsBeingDeleted");
              assertThat(condition.getMessage()).contains("volume claims data-db-1; no step");
              assertThat(condition.getObservedGeneration()).isEqualTo(7);
            });
    // and what is shown is up to date
    app.setStatus(status);
    assertThat(VolumeHealth.isAtRisk(app)).isTrue();
    assertThat(health().current(bare())).isEqualTo(in(bare()));
  }

  @Test
  void shouldNameTheFirstOfMany() {
    claims.replaceAll(claim -> claim(claim.getMetadata().getName(), EARLIER));
    assertThat(in(bare()).conditions().getFirst().getMessage())
        .contains("volume claims data-db-0, data-db-1, data-db-2 and 1 more; no step");
  }

  @Test
  void shouldSayNothingOfAClaimThatNoPodUses() {
    claims.set(1, claim("data-db-1", EARLIER));
    pods.remove(1);
    assertThat(health().atRisk(NOW)).isEmpty();
    // and of one whose pod goes
    pods.add(1, pod("db-1"));
    pods.get(1).getMetadata().setDeletionTimestamp(EARLIER);
    assertThat(health().atRisk(NOW)).isEmpty();
  }

  @Test
  void shouldSayNothingOfAnAppThatIsBeingDeleted() {
    claims.set(1, claim("data-db-1", EARLIER));
    app.getMetadata().setDeletionTimestamp(EARLIER);
    assertThat(health().atRisk(NOW)).isEmpty();
  }

  @Test
  void shouldWaitForAPodThatTheEngineTakesWithItsClaim() {
    claims.set(1, claim("data-db-1", NOW.toString()));
    assertThat(health().atRisk(NOW)).isEmpty();
    assertThat(health().nextCheck(NOW)).contains(Duration.ofSeconds(1));
    assertThat(health().atRisk(NOW.plusSeconds(1))).hasSize(1);
  }

  @Test
  void shouldWarnOnceOfEachClaim() {
    // Given
    claims.set(1, claim("data-db-1", EARLIER));
    var told = new ArrayList<String>();
    var warnings =
        new VolumeWarnings(
            (about, id, warning, reason, note) ->
                told.add("%s %s %s: %s".formatted(id, warning, reason, note)));
    // When
    warnings.warn(health(), NOW);
    warnings.warn(health(), NOW.plusSeconds(1));
    // Then
    assertThat(told)
        .singleElement()
        .asString()
        .startsWith(
            "uid-of-data-db-1 true VolumeClaimBeingDeleted: volume claim data-db-1 is being deleted");
  }

  private AppStatus in(AppStatus status) {
    return health().in(status, NOW);
  }

  private VolumeHealth health() {
    return new VolumeHealth(app, claims, pods);
  }

  private static AppStatus bare() {
    return AppStatusBuilder.builder()
        .phase("Running")
        .ready("4/4")
        .components(List.of())
        .conditions(List.of())
        .build();
  }

  private static Pod pod(String name) {
    return new PodBuilder().withNewMetadata().withName(name).endMetadata().build();
  }

  private static PersistentVolumeClaim claim(String name, String deleted) {
    return new PersistentVolumeClaimBuilder()
        .withNewMetadata()
        .withName(name)
        .withUid("uid-of-" + name)
        .withDeletionTimestamp(deleted)
        .endMetadata()
        .build();
  }
}
