package io.middleware.engine.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobTroubleTest {
  private boolean suspended;
  private Optional<String> refused = Optional.empty();

  @Test
  void shouldSayThatSomebodyHasSuspendedIt() {
    suspended = true;
    assertThat(text()).isEqualTo("Job check: is suspended: set its spec.suspend to false");
  }

  @Test
  void shouldSayWhatRefusesItsPod() {
    assertThat(text()).isEqualTo("Job check: its pod does not exist yet");
    refused = Optional.of("cannot be created: exceeded quota: pods");
    assertThat(text()).isEqualTo("Job check: its pod cannot be created: exceeded quota: pods");
  }

  @Test
  void shouldNameTheHelperThatGoesOn() {
    var pod =
        SampleObjects.pod("check-x", "", "False")
            .editStatus()
            .addNewContainerStatus()
            .withName("check")
            .withNewState()
            .withNewTerminated()
            .withExitCode(0)
            .endTerminated()
            .endState()
            .endContainerStatus()
            .addNewContainerStatus()
            .withName("proxy")
            .withState(new ContainerStateBuilder().withNewRunning().endRunning().build())
            .endContainerStatus()
            .endStatus()
            .build();
    assertThat(text(new PodState(pod)))
        .startsWith("Job check: pod check-x: container proxy still runs although another has ended")
        .contains("restartPolicy Always");
  }

  private String text(PodState... pods) {
    var job =
        new JobBuilder()
            .withNewMetadata()
            .withName("check")
            .endMetadata()
            .withNewSpec()
            .withSuspend(suspended)
            .endSpec()
            .build();
    return new JobTrouble(new JobState(job), List.of(pods), () -> refused).text();
  }
}
