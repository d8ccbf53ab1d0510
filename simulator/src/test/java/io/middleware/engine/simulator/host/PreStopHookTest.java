package io.middleware.engine.simulator.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a container does before it is asked to end. */
class PreStopHookTest {
  private static final Duration GRACE = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void shouldRunTheCommandWithTheVariablesOfTheContainer() throws Exception {
    // Given
    var container =
        new ContainerBuilder()
            .withNewLifecycle()
            .withNewPreStop()
            .withNewExec()
            .withCommand("sh", "-c", "echo $WORD >$1", "hook", folder + "/said")
            .endExec()
            .endPreStop()
            .endLifecycle()
            .build();
    // When
    var remainder = hook(PreStopHook.command(container)).run(GRACE);
    // Then
    assertThat(folder.resolve("said")).hasContent("farewell\n");
    assertThat(remainder).isBetween(Duration.ofSeconds(2), GRACE);
  }

  @Test
  void shouldKillACommandThatUsesUpTheGracePeriodAndLeaveTheContainerAMoment() throws Exception {
    // When
    var begun = Instant.now();
    var remainder =
        hook(List.of("sh", "-c", "sleep 60; echo late >" + folder.resolve("said")))
            .run(Duration.ofMillis(300));
    // Then
    assertThat(Duration.between(begun, Instant.now())).isLessThan(Duration.ofSeconds(50));
    assertThat(remainder).isEqualTo(Duration.ofSeconds(2));
    assertThat(folder.resolve("said")).doesNotExist();
  }

  @Test
  void shouldGoOnWithoutACommandOrWithOneThatCannotStart() throws Exception {
    assertThat(PreStopHook.command(new ContainerBuilder().build())).isEmpty();
    assertThat(hook(List.of()).run(GRACE)).isEqualTo(GRACE);
    assertThat(hook(List.of("/no/such/program")).run(GRACE)).isPositive();
  }

  private PreStopHook hook(List<String> command) throws Exception {
    var log = folder.resolve("log");
    if (!Files.exists(log)) {
      Files.createFile(log);
    }
    return new PreStopHook("shop/db-0", command, Map.of("WORD", "farewell"), log);
  }
}
