package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionDone;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionRefused;
import io.middleware.engine.cluster.agents.ActionOutcome.ActionUnanswered;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActionRetryTest {
  private static final String MESSAGE = "pod db-0: no answer; asked again until it answers";

  private final FakeView view = new FakeView();
  private final PodState pod = readyAt("db-0", "new", "127.0.0.10");
  private final List<String> heartbeats = new CopyOnWriteArrayList<>();
  private final List<String> told = new CopyOnWriteArrayList<>();
  private final Queue<ActionOutcome<String>> answers = new ArrayDeque<>();

  @BeforeEach
  void start() {
    view.sets.add(set(2, 1));
    view.pods.add(pod);
  }

  @Test
  void shouldAskAgainUntilTheAgentAnswers() {
    // Given
    answers.add(new ActionUnanswered<>("no answer"));
    answers.add(new ActionDone<>("flushed"));
    // When
    var outcome = retry().untilAnswered(answers::remove, why -> "pod db-0: " + why);
    // Then
    assertThat(outcome).isEqualTo(new ActionDone<>("flushed"));
    assertThat(told).isNotEmpty().containsOnly(MESSAGE);
    assertThat(heartbeats).isNotEmpty().containsOnly(MESSAGE);
  }

  @Test
  void shouldNotAskAgainAfterARefusal() {
    // Given
    answers.add(new ActionRefused<>("not now"));
    // When
    var outcome = retry().untilAnswered(answers::remove, why -> why);
    // Then
    assertThat(outcome).isEqualTo(new ActionRefused<>("not now"));
    assertThat(told).isEmpty();
  }

  @Test
  void shouldEndWhenThePodIsGone() {
    // Given
    answers.add(new ActionUnanswered<>("no answer"));
    view.pods.clear();
    // When
    var outcome = retry().untilAnswered(answers::remove, why -> "pod db-0: " + why);
    // Then
    assertThat(outcome).isEqualTo(new ActionUnanswered<>("no answer"));
    assertThat(told).containsExactly(MESSAGE);
  }

  private ActionRetry retry() {
    var pods = new ExistingPods(view, SampleObjects.KEY, "db", "g");
    return new ActionRetry(new ClusterWaiter(view, heartbeats::add), pods, pod, told::add);
  }
}
