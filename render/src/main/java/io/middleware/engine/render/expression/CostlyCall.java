package io.middleware.engine.render.expression;

import static java.util.stream.Collectors.toUnmodifiableMap;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A call whose work or result may be far larger than its arguments, so that it is checked before it
 * is made.
 *
 * @param arguments the ids of the expressions that give the arguments, in the order of evaluation
 */
public record CostlyCall(String function, List<Long> arguments) {
  /** Characters compared, at worst, by one search. */
  private static final long MAX_COMPARISONS = 50_000_000;

  private static final int COMPARISONS_PER_UNIT = 4;
  private static final Set<String> FUNCTIONS =
      Set.of(
          "join",
          "replace",
          "split",
          "contains",
          "indexOf",
          "lastIndexOf",
          "matches",
          "distinct",
          "_==_",
          "_!=_",
          "@in");

  public CostlyCall {
    arguments = List.copyOf(arguments);
  }

  /** The costly calls of an expression, by the id of the last argument. */
  public static Map<Long, CostlyCall> in(CelAbstractSyntaxTree checked) {
    return CelNavigableAst.fromAst(checked)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == Kind.CALL)
        .map(node -> node.expr().call())
        .filter(call -> FUNCTIONS.contains(call.function()))
        .map(CostlyCall::of)
        .filter(call -> !call.arguments().isEmpty())
        .collect(toUnmodifiableMap(call -> call.arguments().getLast(), Function.identity()));
  }

  private static CostlyCall of(CelExpr.CelCall call) {
    List<Long> arguments = new ArrayList<>();
    call.target().ifPresent(target -> arguments.add(target.id()));
    call.args().forEach(argument -> arguments.add(argument.id()));
    return new CostlyCall(call.function(), arguments);
  }

  /** Takes what the call costs from the budget, or ends the evaluation. */
  void take(List<Object> values, RenderBudget budget) {
    problem(values).ifPresent(budget::exceed);
    values.forEach(budget::walk);
    if (values.size() > 1
        && values.getFirst() instanceof String text
        && values.get(1) instanceof String other
        && !function.startsWith("_")) {
      var steps =
          function.equals("matches")
              ? PatternSize.of(other)
              : other.length() / COMPARISONS_PER_UNIT + 1;
      budget.work(text.length() * steps);
    }
  }

  /** Why the call is not made; empty if it may be. Arguments of other types fail by themselves. */
  private Optional<String> problem(List<Object> values) {
    return switch (values.getFirst()) {
      case List<?> list when function.equals("join") ->
          tooLong(joined(list, values.size() > 1 ? text(values, 1).length() : 0));
      case List<?> list
          when function.equals("distinct") && list.size() > CelEnvironment.MAX_ITERATIONS ->
          Optional.of(
              "distinct() of a list that is longer than %d"
                  .formatted(CelEnvironment.MAX_ITERATIONS));
      case String text when function.equals("matches") ->
          PatternSize.problem(text(values, 1), text.length());
      case String text when values.size() > 1 -> search(text, values);
      default -> Optional.empty();
    };
  }

  private Optional<String> search(String text, List<Object> values) {
    var searched = text(values, 1);
    if ((long) text.length() * searched.length() > MAX_COMPARISONS) {
      return Optional.of("%s() searches too long a text".formatted(function));
    }
    return function.equals("replace")
        ? tooLong(replaced(text, searched, text(values, 2).length()))
        : Optional.empty();
  }

  private static long joined(List<?> list, long separator) {
    return list.stream().mapToLong(item -> String.valueOf(item).length() + separator).sum();
  }

  private static long replaced(String text, String searched, long replacement) {
    if (searched.isEmpty()) {
      return text.length() + (text.length() + 1) * replacement;
    }
    var found = 0L;
    for (var at = text.indexOf(searched); at >= 0; ) {
      found++;
      at = text.indexOf(searched, at + searched.length());
    }
    return text.length() + found * replacement;
  }

  private Optional<String> tooLong(long length) {
    return length > RenderBudget.MAX_TEXT
        ? Optional.of("%s() makes a text longer than 1 MiB".formatted(function))
        : Optional.empty();
  }

  private static String text(List<Object> values, int index) {
    return index < values.size() && values.get(index) instanceof String text ? text : "";
  }
}
