package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.Maps;
import io.middleware.engine.api.check.AgentCondition;
import io.middleware.engine.api.check.CheckedRole;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.Measured;
import io.middleware.engine.planning.condition.ConcurrentLooks;
import io.middleware.engine.planning.condition.Condition;
import io.middleware.engine.planning.condition.ConditionSources;
import io.middleware.engine.planning.condition.HttpSources;
import io.middleware.engine.planning.condition.Verdict;
import io.middleware.engine.render.expression.ConditionExpression;
import io.middleware.engine.render.expression.ConditionScope;
import io.middleware.engine.render.expression.ObjectSource;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * One look at a group or component: what the checks say about it now. A look at which the API
 * server, an agent or another source does not answer gives no verdict.
 */
final class CheckLook {
  /** Few, as every agent may ask other pods of its group. */
  private static final int CONCURRENCY = 16;

  private static final int MOST_SHOWN = 32;

  private final CheckedPods pods;
  private final AgentQueries agents;
  private final HttpSources http;
  private final Supplier<ObjectSource> objects;
  private final CheckTarget target;
  private final Semaphore calls = new Semaphore(CONCURRENCY);

  /**
   * @param objects those of one look
   */
  CheckLook(
      CheckedPods pods,
      AgentQueries agents,
      HttpSources http,
      Supplier<ObjectSource> objects,
      CheckTarget target) {
    this.pods = pods;
    this.agents = agents;
    this.http = http;
    this.objects = objects;
    this.target = target;
  }

  /** What a look has found before it asks. */
  private record Found(List<CheckedPod> pods, ConditionSources sources) {}

  /** The verdicts on these checks, in their order. */
  List<Verdict> verdicts(List<CompiledCheck> checks) throws InterruptedException {
    try {
      var now = found(podsFor(checks));
      var ofConditions =
          ConcurrentLooks.results(
              checks.stream()
                  .flatMap(check -> check.conditions().stream())
                  .<Callable<Verdict>>map(condition -> () -> verdict(condition, now))
                  .toList());
      var verdicts = new ArrayList<Verdict>();
      var from = 0;
      for (var check : checks) {
        var to = from + check.conditions().size();
        verdicts.add(check.verdict(ofConditions.subList(from, to)));
        from = to;
      }
      return verdicts;
    } catch (ApplicationFailure e) {
      return checks.stream()
          .<Verdict>map(check -> new Verdict.NotKnown(e.getOriginalMessage()))
          .toList();
    }
  }

  /** How many other pods are ready. */
  long readyBeside(String pod) throws InterruptedException {
    return pods.now(false).stream()
        .map(CheckedPod::pod)
        .filter(it -> it.isReady() && !it.name().equals(pod))
        .count();
  }

  /** The port at which agents listen. */
  int agentPort() {
    return target.agents().port();
  }

  /** None when no condition reads them: a list is dear, and is read past the caches. */
  private List<CheckedPod> podsFor(List<CompiledCheck> checks) throws InterruptedException {
    return checks.stream().anyMatch(CompiledCheck::takesPods)
        ? pods.now(checks.stream().anyMatch(CompiledCheck::takesRoles))
        : List.of();
  }

  /** However many conditions ask agents at the same time. */
  private Measured measured(CheckedPod asked, String question) throws InterruptedException {
    calls.acquire();
    try {
      return agents.measure(target.agents(), asked.pod(), question);
    } finally {
      calls.release();
    }
  }

  private Found found(List<CheckedPod> now) {
    var variables = variables(now);
    return new Found(
        now,
        new ConditionSources(
            Maps.transformValues(variables, value -> () -> value),
            expression -> Optional.of(shown(expression, variables, now)),
            objects.get(),
            variables,
            http));
  }

  private Verdict verdict(Condition condition, Found now) throws InterruptedException {
    var silent =
        condition.needsRoles()
            ? now.pods().stream().flatMap(pod -> pod.silence().stream()).findFirst()
            : Optional.<String>empty();
    if (silent.isPresent()) {
      return new Verdict.NotKnown(silent.get());
    }
    return switch (condition) {
      case Condition.OfAnswers(var question, var expression) ->
          ofAnswers(question, expression, now);
      case Condition.Plain plain -> now.sources().verdict(plain);
    };
  }

  private Verdict ofAnswers(AgentCondition question, ConditionExpression expression, Found now)
      throws InterruptedException {
    var asked =
        now.pods().stream()
            .filter(CheckedPod::hasAgent)
            .filter(target::asks)
            .filter(pod -> isAsked(question, pod))
            .toList();
    if (asked.isEmpty()) {
      return question.role() == CheckedRole.PRIMARY && target.pod().isEmpty()
          ? new Verdict.DoesNotHold("no primary", "no pod reports the role primary")
          : new Verdict.Holds("no pod to ask for " + question.ask());
    }
    return Verdict.ofAll(
        ConcurrentLooks.results(
            asked.stream()
                .<Callable<Verdict>>map(pod -> () -> ofAnswer(question, expression, pod, now))
                .toList()));
  }

  private static boolean isAsked(AgentCondition question, CheckedPod pod) {
    return question.role() == null || (question.role() == CheckedRole.PRIMARY) == pod.isPrimary();
  }

  private Verdict ofAnswer(
      AgentCondition question, ConditionExpression expression, CheckedPod asked, Found now)
      throws InterruptedException {
    var pod = asked.pod();
    var isAlone = target.pod().isPresent(); // the caller knows why it is asked
    if (!pod.isReady() && !isAlone || pod.ip().isEmpty()) {
      return new Verdict.NotKnown("pod %s is not ready: %s".formatted(pod.name(), pod.trouble()));
    }
    return switch (measured(asked, question.ask())) {
      case Measured.Answered(var answer) ->
          now.sources()
              .verdict(
                  expression,
                  Map.of("answer", answer, "node", asked.variable()),
                  Optional.of("%s: %s = %s".formatted(pod.name(), question.ask(), answer)));
      case Measured.Refused(var why) -> new Verdict.DoesNotHold(pod.name() + ": no answer", why);
      case Measured.Unanswered(var why) -> new Verdict.NotKnown(why);
    };
  }

  private Map<String, Object> variables(List<CheckedPod> now) {
    var change = target.task().change();
    var values = new TreeMap<String, Object>();
    values.put("namespace", change.namespace());
    values.put("app", change.app());
    values.put("component", target.task().component());
    target.group().ifPresent(group -> values.put("group", group));
    values.put(
        "runtime", Map.of("name", target.runtime().name(), "version", target.runtime().version()));
    values.put("replicas", target.replicas());
    values.put(ConditionScope.NODES, now.stream().map(CheckedPod::variable).toList());
    target
        .pod()
        .flatMap(name -> now.stream().filter(target::asks).findFirst())
        .ifPresent(pod -> values.put("node", pod.variable()));
    return values;
  }

  private static List<String> shown(List<CheckedPod> now) {
    var others = now.size() - MOST_SHOWN;
    return Stream.concat(
            now.stream().limit(MOST_SHOWN).map(CheckedPod::shown),
            Stream.of("and %d more".formatted(others)).filter(more -> others > 0))
        .toList();
  }

  /** The values that have decided. */
  private static String shown(
      ConditionExpression expression, Map<String, Object> variables, List<CheckedPod> now) {
    var values = new TreeMap<>(variables);
    values.put(ConditionScope.NODES, shown(now));
    return expression.variables().stream()
        .map(name -> name + " = " + values.get(name))
        .collect(joining(", "));
  }
}
