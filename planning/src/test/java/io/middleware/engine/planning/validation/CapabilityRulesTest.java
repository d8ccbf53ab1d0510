package io.middleware.engine.planning.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.planning.Fixtures;
import io.middleware.engine.planning.app.Refusal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CapabilityRulesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"0 3 * * *", "*/5 8-18 * * 1-5", "0 0 1,15 * *", "30 4 * * sun", "@daily"})
  void shouldTakeASchedule(String schedule) {
    assertThat(refusal(Map.of("spec.backup", Map.of("schedule", schedule)), List.of("Backup")))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0 3 31 2 *", "0 3 30 2 *", "0 3 31 4,6,9 *"})
  void shouldRefuseAScheduleThatNeverComes(String schedule) {
    assertThat(refusal(Map.of("spec.backup", Map.of("schedule", schedule)), List.of("Backup")))
        .map(Refusal::message)
        .contains(
            "spec.backup.schedule: %s never comes, because none of its months has such a day; write five cron fields, for example \"0 3 * * *\""
                .formatted(schedule));
  }

  @Test
  void shouldNameATimeZoneThatIsNone() {
    var backup = Map.of("schedule", "@daily", "timeZone", "Europe/Atlantis");
    assertThat(refusal(Map.of("spec.backup", backup), List.of("Backup")))
        .map(Refusal::message)
        .contains(
            "spec.backup.timeZone: Europe/Atlantis is not a time zone; write one such as Europe/Berlin");
  }

  @Test
  void shouldAcceptWhatOneOfTheComponentsSupports() {
    assertThat(
            refusal(
                Map.of("spec.monitoring", Map.of("port", 9121)), List.of("Backup", "Monitoring")))
        .isEmpty();
  }

  @Test
  void shouldAcceptWhatIsSwitchedOff() {
    assertThat(
            refusal(
                Map.of(
                    "spec.monitoring", Map.of("enabled", false),
                    "spec.backup", Map.of("enabled", false)),
                List.of()))
        .isEmpty();
  }

  private static Optional<Refusal> refusal(Map<String, Object> app, List<String> supports) {
    var fixtures =
        new Fixtures(
            Fixtures.ROOT,
            Map.of("app", app, "plugin", Map.of("spec.componentTypes.0.supports", supports)));
    return AppValidation.refusal(fixtures.desiredApp(), fixtures.observedApp(), Fixtures.ENDPOINTS);
  }
}
