package io.middleware.engine.render.expression;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.runtime.CelEvaluationListener;
import io.middleware.engine.api.task.Excerpt;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an evaluation has found in the fields that the expression reads, for people: {@code
 * object('App', 'cache').status.phase = Changing}. Of a loop, what its last turn has found.
 */
final class FoundValues implements CelEvaluationListener {
  private static final int LONGEST_VALUE = 200;
  private static final int LONGEST = 1000;
  private static final String INDEX = "_[_]";
  private static final String SIZE = "size";

  private final Map<Long, Object> values = new HashMap<>();

  @Override
  public void callback(CelExpr expression, Object value) {
    if (value != null) {
      values.put(expression.id(), value);
    }
  }

  /** In the order of the expression; empty when nothing can be shown. */
  String shown(CelNavigableExpr root) {
    var found = new ArrayList<String>();
    collect(root, found);
    return Excerpt.within(String.join(", ", found.stream().distinct().toList()), LONGEST);
  }

  private void collect(CelNavigableExpr node, List<String> found) {
    var text = text(node.expr());
    if (text.isPresent()) {
      shown(values.get(node.expr().id())).ifPresent(it -> found.add(text.get() + " = " + it));
    } else {
      node.children().forEach(child -> collect(child, found));
    }
  }

  /** As it is written, when it reads a field or a variable. */
  private static Optional<String> text(CelExpr expression) {
    return switch (expression.getKind()) {
      case IDENT -> Optional.of(expression.ident().name()).filter(name -> !isOfLoop(name));
      case SELECT ->
          text(expression.select().operand())
              .map(of -> of + "." + expression.select().field())
              .map(it -> expression.select().testOnly() ? "has(%s)".formatted(it) : it);
      case CALL -> call(expression.call());
      case CONSTANT, LIST, MAP, STRUCT, COMPREHENSION, NOT_SET -> Optional.empty();
    };
  }

  /** The variable in which a loop gathers its result; no name that is written begins so. */
  private static boolean isOfLoop(String name) {
    return name.startsWith("@") || name.startsWith("__");
  }

  private static Optional<String> call(CelExpr.CelCall call) {
    return switch (call.function()) {
      case ObjectFunction.NAME -> arguments(call).map(it -> "object(%s)".formatted(it));
      case INDEX ->
          text(call.args().getFirst())
              .flatMap(of -> constant(call.args().get(1)).map(at -> "%s[%s]".formatted(of, at)));
      case SIZE -> sized(call).flatMap(FoundValues::text).map(it -> "size(%s)".formatted(it));
      default -> Optional.empty();
    };
  }

  private static Optional<CelExpr> sized(CelExpr.CelCall call) {
    return call.target().or(() -> call.args().stream().findFirst());
  }

  private static Optional<String> arguments(CelExpr.CelCall call) {
    var texts = call.args().stream().map(FoundValues::argument).flatMap(Optional::stream).toList();
    return Optional.of(String.join(", ", texts)).filter(it -> texts.size() == call.args().size());
  }

  private static Optional<String> argument(CelExpr expression) {
    return constant(expression).or(() -> text(expression));
  }

  private static Optional<String> constant(CelExpr expression) {
    if (expression.getKind() != Kind.CONSTANT) {
      return Optional.empty();
    }
    var constant = expression.constant();
    return constant.getKind() == CelConstant.Kind.INT64_VALUE
        ? Optional.of(String.valueOf(constant.int64Value()))
        : ObjectFunction.constant(expression).map(it -> "'%s'".formatted(it));
  }

  private static Optional<String> shown(Object value) {
    return switch (value) {
      case null -> Optional.empty();
      case Map<?, ?> map -> Optional.empty();
      case Collection<?> list -> Optional.of(list.size() + " items");
      case Optional<?> optional ->
          optional.isEmpty() ? Optional.of("nothing") : shown(optional.get());
      default -> Optional.of(Excerpt.within(String.valueOf(value), LONGEST_VALUE));
    };
  }
}
