package io.middleware.engine.workflows.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.temporal.activity.ActivityMethod;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChangeStepTest {

  static Stream<Method> activities() {
    return Stream.of(
            ActionActivities.class,
            ConfigurationActivities.class,
            OrderingActivities.class,
            CheckActivities.class,
            PlanningActivities.class,
            PodActivities.class,
            ResourceActivities.class,
            RunActivities.class,
            StatusActivities.class,
            VolumeActivities.class)
        .flatMap(port -> Arrays.stream(port.getMethods()))
        .filter(method -> method.isAnnotationPresent(ActivityMethod.class));
  }

  /** The worker refuses a step that does not say which change it is part of. */
  @ParameterizedTest
  @MethodSource("activities")
  void shouldBeTheOnlyArgumentOfEachActivity(Method activity) {
    assertThat(activity.getParameterTypes())
        .singleElement()
        .satisfies(type -> assertThat(type).isAssignableTo(ChangeStep.class));
  }

  @Test
  void shouldSayWhichBackupOrChangeAStepIsPartOf() {
    assertThat(BackupActivities.class.getMethods())
        .isNotEmpty()
        .allSatisfy(
            activity ->
                assertThat(activity.getParameterTypes())
                    .singleElement()
                    .satisfiesAnyOf(
                        type -> assertThat(type).isAssignableTo(BackupStep.class),
                        type -> assertThat(type).isAssignableTo(ChangeStep.class)));
  }
}
