package io.middleware.engine.activities.members;

import static java.util.Comparator.comparing;

import io.middleware.engine.activities.objects.EngineObjects;
import io.middleware.engine.activities.objects.GroupMembers;
import io.middleware.engine.activities.pods.PodRoles;
import io.middleware.engine.activities.pods.PodStepContext;
import io.middleware.engine.activities.pods.StepId;
import io.middleware.engine.activities.volumes.VolumeClaims;
import io.middleware.engine.cluster.AppKey;
import io.middleware.engine.cluster.ExistingPods;
import io.middleware.engine.cluster.NaturalOrder;
import io.middleware.engine.cluster.Plugins;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.Rollout;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.AttendedCalls;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.MemberActivities;
import io.middleware.engine.workflows.port.MemberMove.Direction;
import io.temporal.activity.Activity;
import java.util.ArrayList;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** {@inheritDoc} */
public final class KubernetesMemberActivities implements MemberActivities {
  private final PodStepContext context;
  private final EngineObjects engine;
  private final Plugins plugins;
  private final AgentQueries queries;
  private final AgentActions actions;
  private final VolumeClaims claims;

  /**
   * @param queries asked which pod is the primary
   * @param actions run by agents
   * @param claims of members that have left
   */
  public KubernetesMemberActivities(
      PodStepContext context,
      EngineObjects engine,
      Plugins plugins,
      AgentQueries queries,
      AgentActions actions,
      VolumeClaims claims) {
    this.context = context;
    this.engine = engine;
    this.plugins = plugins;
    this.queries = queries;
    this.actions = actions;
    this.claims = claims;
  }

  @Override
  public void beginMove(MoveRequest request) {
    begin(request, StepId.of(Activity.getExecutionContext()));
  }

  @Override
  public void endMove(MoveRequest request) {
    end(request, StepId.of(Activity.getExecutionContext()));
  }

  /**
   * @param step names the step for agents; the same when it is repeated
   */
  void begin(MoveRequest request, String step) {
    var group = request.group();
    var move = request.move();
    if (isMade(request)) {
      return;
    }
    awaitReady(request);
    if (move.direction() == Direction.JOIN) {
      new LeftClaims(context, claims, request).clear(context.gate().passWithSpec(group.change()));
    }
    context.gate().pass(group.change());
    write(group, members -> members.begun(move.direction(), move.pod()));
    call(request, step)
        .ifPresent(
            call ->
                call.run(
                    move.direction() == Direction.JOIN ? "join" : "leave",
                    () -> otherMember(request)));
  }

  /**
   * Whether the group has been written with a pod that joins: then it has joined, as far as it can.
   * Or without one that leaves, and its move is complete.
   */
  private boolean isMade(MoveRequest request) {
    var move = request.move();
    var now = GroupMembers.of(engine.readable(request.group()));
    return switch (move.direction()) {
      case JOIN -> now.count() >= move.members();
      case LEAVE -> now.count() <= move.members() && !now.isMoving(move.pod());
    };
  }

  void end(MoveRequest request, String step) {
    if (request.move().direction() == Direction.JOIN) {
      call(request, step).ifPresent(call -> call.run("joined", () -> joined(request)));
    }
    context.gate().check(request.change());
    write(request.group(), members -> members.completed(request.move().pod()));
  }

  private void write(GroupRef ref, UnaryOperator<GroupMembers> next) {
    var group = engine.readable(ref);
    Runnable fence = () -> context.gate().check(ref.change());
    fence.run();
    next.apply(GroupMembers.of(group)).writeOn(group, engine, fence);
  }

  /** Empty where the Plugin has no agents. */
  private Optional<MemberCall> call(MoveRequest request, String step) {
    var agents = agents(request.group());
    return agents.equals(AgentEndpoint.NONE)
        ? Optional.empty()
        : Optional.of(new MemberCall(context, actions, agents, request, step));
  }

  private AgentEndpoint agents(GroupRef group) {
    return AgentQueries.endpoint(plugins.read(group.task(), engine.spec(group).plugin()));
  }

  private void awaitReady(MoveRequest request) {
    var pods = pods(request);
    var move = request.move();
    var when =
        switch (move.direction()) {
          case JOIN -> "join, once all members are ready";
          case LEAVE -> "leave, once the other members are ready";
        };
    await(
        request,
        () -> {
          var ready = pods.ready().stream().map(PodState::name).collect(Collectors.toSet());
          var missing = move.awaited(pods.names(), ready).stream().map(pods::trouble).toList();
          return Rollout.firstFew(missing)
              .map(why -> "pod %s is to %s: %s".formatted(move.pod(), when, why));
        });
  }

  /** The primary, or the first ready pod of another name. */
  private PodState otherMember(MoveRequest request) {
    var pods = pods(request);
    var found = new ArrayList<PodState>();
    await(
        request,
        () -> {
          found.clear();
          pods.ready().stream()
              .filter(pod -> !pod.name().equals(request.move().pod()))
              .sorted(comparing(PodState::name, NaturalOrder.OF_NAMES))
              .forEach(found::add);
          return found.isEmpty()
              ? Optional.of(
                  "group %s: no member is ready that could be asked to let pod %s %s"
                      .formatted(
                          request.group().group(),
                          request.move().pod(),
                          request.move().direction() == Direction.JOIN ? "join" : "leave"))
              : Optional.empty();
        });
    var message = "pod %s: looks for the primary".formatted(request.move().pod());
    var roles =
        AttendedCalls.await(
            () -> PodRoles.of(queries, agents(request.group()), found),
            () -> context.waiter().heartbeat().send(message));
    return roles.primaries().stream().findFirst().orElse(found.getFirst());
  }

  private PodState joined(MoveRequest request) {
    var pods = pods(request);
    var name = request.move().pod();
    Supplier<Optional<PodState>> ready =
        () -> pods.ready().stream().filter(pod -> pod.name().equals(name)).findFirst();
    await(
        request,
        () -> ready.get().isPresent() ? Optional.empty() : Optional.of(pods.trouble(name)));
    return ready.get().orElseThrow();
  }

  private ExistingPods pods(MoveRequest request) {
    return ExistingPods.of(context.view(), request.group());
  }

  private void await(MoveRequest request, Supplier<Optional<String>> missing) {
    var runLock = context.gate().watch(request.change());
    context
        .waiter()
        .until(
            AppKey.of(request.change()),
            () -> {
              var message = missing.get();
              message.ifPresent(why -> runLock.check());
              return message;
            });
  }
}
