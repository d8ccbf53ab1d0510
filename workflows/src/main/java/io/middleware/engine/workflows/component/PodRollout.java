package io.middleware.engine.workflows.component;

import static io.middleware.engine.workflows.temporal.ActivityPolicy.brief;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.question;
import static io.middleware.engine.workflows.temporal.ActivityPolicy.waiting;

import io.middleware.engine.api.task.RollingPolicy;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.OrderingActivities;
import io.middleware.engine.workflows.port.OrderingActivities.PodOrderRequest;
import io.middleware.engine.workflows.port.PodActivities;
import io.middleware.engine.workflows.port.PodActivities.LeftAlone;
import io.middleware.engine.workflows.port.PodActivities.OrderStale;
import io.middleware.engine.workflows.port.PodActivities.Paused;
import io.middleware.engine.workflows.port.PodActivities.ReplaceRequest;
import io.middleware.engine.workflows.port.PodActivities.Replaced;
import io.middleware.engine.workflows.port.PodActivities.Replacement;
import io.middleware.engine.workflows.port.PodOrder;
import io.middleware.engine.workflows.port.PodOrder.OutdatedPod;
import io.middleware.engine.workflows.temporal.ChildWorkflows;
import io.middleware.engine.workflows.temporal.NamedTimer;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Replaces the pods of a group that are out of date.
 *
 * <ol>
 *   <li>Ask for their order, unless the step that wrote the StatefulSet has asked for it.
 *   <li>Replace the first pods together, as many as may be in work at once; or one after the other,
 *       with the step of the next one scheduled ahead.
 *   <li>When one of them was left alone because the order is stale, or because the App is paused,
 *       begin again at 1 with the pods that are still out of date, once the App is resumed.
 *       Otherwise wait for the interval and go on at 2.
 * </ol>
 *
 * <p>Where roles keep changing, the rollout would request new orders without end and never
 * complete. So the last allowed order is followed even when it is stale, and the user learns of it.
 */
public final class PodRollout {
  /** Failovers during one change are rare; so many mean that the roles keep changing. */
  public static final int MOST_ORDERS = 10;

  private final GroupRef group;
  private final AppliedStatefulSet statefulSet;
  private final RollingPolicy rolling;
  private final Consumer<String> degraded;
  private int orders = 1;
  private boolean converged;

  /**
   * @param degraded told why an order is not the agents' own
   */
  PodRollout(
      GroupRef group,
      AppliedStatefulSet statefulSet,
      RollingPolicy rolling,
      Consumer<String> degraded) {
    this.group = group;
    this.statefulSet = statefulSet;
    this.rolling = rolling;
    this.degraded = degraded;
  }

  /**
   * @param known an order that the group's pods were put in when the StatefulSet was written
   * @return whether nothing more is missing in the group
   */
  boolean run(Optional<PodOrder> known) {
    var order = order(known);
    while (!order.pods().isEmpty()) {
      order = order.ahead() && isOneByOne() ? replaceInTurn(order) : replaceBatch(order);
    }
    return converged;
  }

  private boolean isOneByOne() {
    return rolling.batchSize() == 1 && rolling.interval().isZero();
  }

  private PodOrder replaceBatch(PodOrder order) {
    var batch = order.first(rolling.batchSize());
    var left = replace(batch, order);
    var remaining = left.isEmpty() ? order.after(batch.size()) : orderAgain(left.getFirst());
    if (left.size() < batch.size() && !remaining.pods().isEmpty()) {
      awaitInterval(remaining);
    }
    return remaining;
  }

  /**
   * One pod after the other. The step of the next pod waits for its turn while the step of this one
   * runs, so that no workflow task comes between the two; unless a pod is left alone.
   */
  private PodOrder replaceInTurn(PodOrder order) {
    var pods = order.pods();
    var step = new Step(pods.getFirst(), Optional.empty(), order);
    for (var turn = 0; turn < pods.size() - 1; turn++) {
      var next = new Step(pods.get(turn + 1), Optional.of(pods.get(turn)), order);
      var left = step.endBefore(next);
      if (left.isPresent()) {
        return orderAgain(left.get());
      }
      step = next;
    }
    return leftAlone(step.replacement.get())
        .findFirst()
        .map(this::orderAgain)
        .orElse(order.after(pods.size()));
  }

  /** A step that can be cancelled alone. */
  private final class Step {
    final CompletablePromise<Replacement> replacement = Workflow.newPromise();
    final CancellationScope scope;

    Step(OutdatedPod pod, Optional<OutdatedPod> after, PodOrder order) {
      scope =
          Workflow.newCancellationScope(() -> replacement.completeFrom(replace(pod, after, order)));
      scope.run();
    }

    /** Waits for the end of this step. If its pod is not replaced, the next one has no turn. */
    Optional<LeftAlone> endBefore(Step next) {
      try {
        var left = leftAlone(replacement.get()).findFirst();
        left.ifPresent(why -> next.cancel());
        return left;
      } catch (TemporalFailure e) {
        next.cancel();
        throw e;
      }
    }

    /** Returns when it has ended, however it ends. */
    private void cancel() {
      scope.cancel();
      replacement.handle((ended, failure) -> ended).get();
    }
  }

  private PodOrder order(Optional<PodOrder> known) {
    converged = false;
    var order = ask(known);
    order.degraded().ifPresent(degraded);
    return order;
  }

  /**
   * Usually the agents answer at once, which costs one event, or none in the step before; to wait
   * for them costs seven.
   */
  private PodOrder ask(Optional<PodOrder> known) {
    var request = new PodOrderRequest(group, statefulSet);
    var summary = "pod order of " + group.group();
    var brief = Workflow.newLocalActivityStub(OrderingActivities.class, brief(summary));
    var atOnce = known.orElseGet(() -> brief.podOrder(request));
    return atOnce.unanswered()
        ? Workflow.newActivityStub(OrderingActivities.class, question("wait for the " + summary))
            .awaitPodOrder(request)
        : atOnce;
  }

  private PodOrder orderAgain(LeftAlone left) {
    return switch (left) {
      case OrderStale stale -> orderAgain(stale);
      case Paused paused -> {
        AppPause.awaitEnd(group);
        yield order(Optional.empty());
      }
    };
  }

  private PodOrder orderAgain(OrderStale stale) {
    orders++;
    var order = order(Optional.empty());
    if (isLastOrder()) {
      degraded.accept(
          "the pods of %s were put in order %d times; the last order is used although it is stale: %s"
              .formatted(group.group(), orders, stale.why()));
    }
    return order;
  }

  private boolean isLastOrder() {
    return orders >= MOST_ORDERS;
  }

  /** Returns why, once for each pod that was left alone. */
  private List<LeftAlone> replace(List<OutdatedPod> batch, PodOrder order) {
    var running = batch.stream().map(pod -> replace(pod, Optional.empty(), order)).toList();
    ChildWorkflows.awaitAll(running);
    return running.stream().map(Promise::get).flatMap(this::leftAlone).toList();
  }

  private Stream<LeftAlone> leftAlone(Replacement replacement) {
    return switch (replacement) {
      case Replaced replaced -> {
        converged |= replaced.converged();
        yield Stream.empty();
      }
      case LeftAlone left -> Stream.of(left);
    };
  }

  private Promise<Replacement> replace(
      OutdatedPod pod, Optional<OutdatedPod> after, PodOrder order) {
    var summary = "replace pod " + pod.name() + pod.role().map(role -> " · " + role).orElse("");
    var pods = Workflow.newActivityStub(PodActivities.class, waiting(summary));
    return Async.function(
        pods::replacePod,
        new ReplaceRequest(
            group,
            statefulSet,
            pod,
            rolling.batchSize(),
            order.agents(),
            isLastOrder(),
            order.switchover(),
            after));
  }

  private void awaitInterval(PodOrder remaining) {
    if (!rolling.interval().isZero()) {
      NamedTimer.await(
          rolling.interval(), "interval before pod " + remaining.pods().getFirst().name());
    }
  }
}
