package io.middleware.engine.activities.checks;

import static java.util.stream.Collectors.joining;

import io.middleware.engine.activities.agents.AgentQueries;
import io.middleware.engine.activities.agents.Measured;
import io.middleware.engine.activities.checks.CompiledCheck.Condition;
import io.middleware.engine.activities.kubernetes.Faults;
import io.middleware.engine.activities.render.CheckExpression;
import io.middleware.engine.api.AgentCondition;
import io.middleware.engine.api.CheckedRole;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * One look at a group or component: what the checks say about it now. A look at which the API
 * server or an agent does not answer is no verdict: nobody guesses.
 */
final class CheckLook {
  /** Few, as every agent may ask other pods of its group. */
  private static final int CONCURRENCY = 16;

  private static final int MOST_SHOWN = 32;

  private final CheckedPods pods;
  private final AgentQueries agents;
  private final CheckTarget target;

  CheckLook(CheckedPods pods, AgentQueries agents, CheckTarget target) {
    this.pods = pods;
    this.agents = agents;
    this.target = target;
  }

  /** The verdicts on these checks, in their order. */
  List<Verdict> verdicts(List<CompiledCheck> checks) throws InterruptedException {
    try {
      var now = pods.now(checks.stream().anyMatch(CompiledCheck::needsRoles));
      var verdicts = new ArrayList<Verdict>();
      for (var check : checks) {
        var conditions = new ArrayList<Verdict>();
        for (var condition : check.conditions()) {
          conditions.add(verdict(condition, now));
        }
        verdicts.add(check.verdict(conditions));
      }
      return verdicts;
    } catch (ApplicationFailure e) {
      return checks.stream()
          .<Verdict>map(check -> new Verdict.NotKnown(e.getOriginalMessage()))
          .toList();
    }
  }

  private Verdict verdict(Condition condition, List<CheckedPod> now) throws InterruptedException {
    var silent =
        condition.needsRoles()
            ? now.stream().flatMap(pod -> pod.silence().stream()).findFirst()
            : Optional.<String>empty();
    if (silent.isPresent()) {
      return new Verdict.NotKnown(silent.get());
    }
    return condition.question().isPresent()
        ? ofAnswers(condition.question().get(), condition.expression(), now)
        : evaluated(condition.expression(), variables(now), shown(condition.expression(), now));
  }

  private Verdict ofAnswers(
      AgentCondition question, CheckExpression expression, List<CheckedPod> now)
      throws InterruptedException {
    var asked =
        now.stream().filter(CheckedPod::hasAgent).filter(pod -> isAsked(question, pod)).toList();
    if (asked.isEmpty()) {
      return question.role() == CheckedRole.PRIMARY
          ? new Verdict.DoesNotHold("no primary", "no pod says that it is the primary")
          : new Verdict.Holds("no pod to ask for " + question.ask());
    }
    var variables = variables(now);
    try (var threads = Executors.newFixedThreadPool(CONCURRENCY, Thread.ofVirtual().factory())) {
      var answers =
          threads.invokeAll(
              asked.stream()
                  .<Callable<Verdict>>map(
                      pod -> () -> ofAnswer(question, expression, pod, variables))
                  .toList());
      return Verdict.ofAll(answers.stream().map(Faults::result).toList());
    }
  }

  private static boolean isAsked(AgentCondition question, CheckedPod pod) {
    return question.role() == null || (question.role() == CheckedRole.PRIMARY) == pod.isPrimary();
  }

  private Verdict ofAnswer(
      AgentCondition question,
      CheckExpression expression,
      CheckedPod asked,
      Map<String, Object> variables) {
    var pod = asked.pod();
    if (!pod.isReady() || pod.ip().isEmpty()) {
      return new Verdict.NotKnown("pod %s is not ready: %s".formatted(pod.name(), pod.trouble()));
    }
    return switch (agents.measure(target.agents(), pod, question.ask())) {
      case Measured.Answered(var answer) -> {
        var values = new TreeMap<>(variables);
        values.put("answer", answer);
        values.put("node", asked.variable());
        yield evaluated(
            expression, values, "%s: %s = %s".formatted(pod.name(), question.ask(), answer));
      }
      case Measured.Refused(var why) -> new Verdict.DoesNotHold(pod.name() + ": no answer", why);
      case Measured.Unanswered(var why) -> new Verdict.NotKnown(why);
    };
  }

  private static Verdict evaluated(
      CheckExpression expression, Map<String, Object> values, String actual) {
    try {
      return expression.holds(values)
          ? new Verdict.Holds(actual)
          : new Verdict.DoesNotHold(actual, "%s, expected %s".formatted(actual, expression.text()));
    } catch (CheckExpression.UndecidedException e) {
      return new Verdict.NotKnown(
          "%s: %s: %s".formatted(actual, expression.text(), e.getMessage()));
    }
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
    values.put("nodes", now.stream().map(CheckedPod::variable).toList());
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
  private String shown(CheckExpression expression, List<CheckedPod> now) {
    var values = variables(now);
    values.put("nodes", shown(now));
    return expression.variables().stream()
        .map(name -> name + " = " + values.get(name))
        .collect(joining(", "));
  }
}
