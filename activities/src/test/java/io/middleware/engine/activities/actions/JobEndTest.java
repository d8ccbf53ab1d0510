package io.middleware.engine.activities.actions;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.cluster.JobState;
import io.middleware.engine.cluster.PodState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class JobEndTest {
  private static final String FAILED =
      "{type: Failed, status: 'True', reason: BackoffLimitExceeded, message: it has failed}";

  @Test
  void shouldTakeTheLastWordsOfAJobThatHasSucceeded() {
    var end =
        end("{type: Complete, status: 'True'}", pod("1", "Succeeded", ended(0, "all well\\n")));

    assertThat(end).isEqualTo(new JobEnd(Optional.of(0), "all well", ""));
  }

  @Test
  void shouldTakeThePodThatHasFailedLast() {
    var end =
        end(
            FAILED,
            pod("2", "Failed", ended(0, "a helper"), ended(137, "killed", "OOMKilled")),
            pod("1", "Failed", ended(3, "older")));

    assertThat(end)
        .isEqualTo(new JobEnd(Optional.of(137), "killed", "pod p-2: OOMKilled, exit code 137"));
  }

  @Test
  void shouldTakeTheMainContainerBeforeAHelper() {
    var sidecar = "initContainerStatuses: [%s], phase:".formatted(ended(143, "terminated"));

    var end = end(FAILED, pod("1", "Failed", ended(3, "no space")).replace("phase:", sidecar));

    assertThat(end)
        .isEqualTo(new JobEnd(Optional.of(3), "no space", "pod p-1: Error, exit code 3"));
  }

  @Test
  void shouldSayWhyANodeHasGivenAPodUp() {
    var evicted =
        pod("1", "Failed").replace("phase:", "reason: Evicted, message: no memory, phase:");

    assertThat(end(FAILED, evicted))
        .isEqualTo(new JobEnd(Optional.empty(), "", "pod p-1: Evicted: no memory"));
  }

  @Test
  void shouldSayWhatTheJobSaysWhenNoPodIsLeft() {
    assertThat(end("{type: Failed, status: 'True', reason: DeadlineExceeded, message: too long}"))
        .isEqualTo(new JobEnd(Optional.empty(), "", "DeadlineExceeded: too long"));
  }

  @Test
  void shouldSayWhyAJobThatIsOverHadNoPod() {
    var late = "{type: Failed, status: 'True', reason: DeadlineExceeded, message: too long}";
    var job = new JobState(read("{status: {conditions: [%s]}}".formatted(late), Job.class));
    assertThat(JobEnd.of(job, List.of(), () -> Optional.of("was refused: exceeded quota")).why())
        .isEqualTo("DeadlineExceeded: too long; its pod was refused: exceeded quota");
  }

  private static JobEnd end(String condition, String... pods) {
    var job = read("{status: {conditions: [%s]}}".formatted(condition), Job.class);
    return JobEnd.of(
        new JobState(job), Stream.of(pods).map(it -> new PodState(read(it, Pod.class))).toList());
  }

  /** The number is also when it was created. */
  private static String pod(String number, String phase, String... containers) {
    return "{metadata: {name: p-%s, creationTimestamp: '2026-01-01T00:00:0%sZ'}, status: {phase: %s, containerStatuses: [%s]}}"
        .formatted(number, number, phase, String.join(", ", containers));
  }

  private static String ended(int code, String words) {
    return ended(code, words, "Error");
  }

  private static String ended(int code, String words, String reason) {
    return "{name: c, state: {terminated: {exitCode: %d, reason: %s, message: \"%s\"}}}"
        .formatted(code, reason, words);
  }

  private static <T> T read(String yaml, Class<T> type) {
    return Serialization.unmarshal("---\n" + yaml, type); // otherwise flow style is read as JSON
  }
}
