package io.middleware.engine.activities.rollout;

import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.api.Labels;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ClusterView;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.status.ActionProgressWriter;
import io.middleware.engine.workflows.port.GroupRef;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pods of a group that its controllers cannot create while a step waits for them. The App's
 * status shows it until it is over, and the first refusal of each is recorded as an event.
 */
final class RefusedPods {
  /** Most pods are created sooner; nothing is asked about them. */
  private static final Duration LONG_MISSING = Duration.ofSeconds(1);

  private static final Duration BETWEEN_QUESTIONS = Duration.ofSeconds(2);

  private final PodStepContext context;
  private final CreationRefusals refusals;
  private final GroupRef group;
  private final Supplier<Optional<StatefulSet>> set;
  private final Set<String> recorded = new HashSet<>();
  private Optional<String> due = Optional.empty();
  private long askAt;
  private Optional<String> answer = Optional.empty();
  private Optional<ActionProgressWriter.Action> shown = Optional.empty();

  /**
   * @param set the group's StatefulSet as last observed
   */
  RefusedPods(
      PodStepContext context,
      CreationRefusals refusals,
      GroupRef group,
      Supplier<Optional<StatefulSet>> set) {
    this.context = context;
    this.refusals = refusals;
    this.group = group;
    this.set = set;
  }

  /** Shows why pods cannot be created; what else is missing is returned as it is. */
  Optional<String> explain(Optional<String> missing) {
    var refused = missing.isEmpty() ? List.<String>of() : refused();
    refused.forEach(this::record);
    var message = Rollout.firstFew(refused);
    message.ifPresentOrElse(this::show, this::hide);
    return message.or(() -> missing);
  }

  private List<String> refused() {
    var name = Labels.groupName(key().app(), group.task().component(), group.group());
    var ofDeployments =
        context.view().deployments(key()).stream()
            .filter(deployment -> ClusterView.isOf(name, deployment))
            .flatMap(deployment -> Rollout.refused(deployment).stream());
    return Stream.concat(set.get().flatMap(this::ofSet).stream(), ofDeployments).toList();
  }

  private Optional<String> ofSet(StatefulSet observed) {
    var next = Rollout.due(observed, context.view().podsOf(key(), observed));
    var now = System.nanoTime();
    if (!next.equals(due)) {
      due = next;
      askAt = now + LONG_MISSING.toNanos();
      answer = Optional.empty();
    } else if (next.isPresent() && now - askAt >= 0) {
      answer = refusals.of(observed, next.get());
      askAt = System.nanoTime() + BETWEEN_QUESTIONS.toNanos();
    }
    return answer;
  }

  private void record(String refusal) {
    if (recorded.add(refusal)) {
      var change = group.task().change();
      context
          .view()
          .app(key())
          .ifPresent(app -> context.reporter().notCreated(app, change, refusal));
    }
  }

  private void show(String message) {
    if (shown.isEmpty()) {
      shown = Optional.of(context.reporter().longProgressOf(group.task().change()));
    }
    shown.get().report(message);
  }

  private void hide() {
    shown.ifPresent(ActionProgressWriter.Action::done);
    shown = Optional.empty();
  }

  private AppKey key() {
    return AppKey.of(group.task().change());
  }
}
