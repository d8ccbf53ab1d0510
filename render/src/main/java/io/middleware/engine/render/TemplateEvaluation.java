package io.middleware.engine.render;

import io.middleware.engine.api.task.Excerpt;
import io.middleware.engine.render.expression.CelValues;
import io.middleware.engine.render.expression.CompiledExpression;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.expression.UnusableResultException;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One evaluation of one template. An empty result drops its key, item or object. */
final class TemplateEvaluation {
  private static final int LONGEST_MESSAGE = 500;
  private static final int LONGEST_EXPRESSION = 1000;

  private final Map<String, Object> variables;
  private final RenderBudget budget;
  private final TemplateErrors errors;

  TemplateEvaluation(Map<String, Object> variables, RenderBudget budget, TemplateErrors errors) {
    this.variables = variables;
    this.budget = budget;
    this.errors = errors;
  }

  Optional<Map<String, Object>> object(CompiledTemplate.Document document) {
    return switch (node(document.root(), ObjectPath.ROOT).orElse(null)) {
      case null -> Optional.empty();
      case Map<?, ?> map -> {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put((String) key, value));
        yield Optional.of(object);
      }
      case Object other -> {
        errors.add(
            ObjectPath.ROOT,
            document.position(),
            "an object must be a mapping, but this evaluates to " + other);
        yield Optional.empty();
      }
    };
  }

  private Optional<Object> node(TemplateNode node, ObjectPath path) {
    return switch (node) {
      case TemplateNode.LiteralNode(var value) -> Optional.ofNullable(value);
      case TemplateNode.ExpressionNode(var expression) -> computed(expression, path);
      case TemplateNode.TextNode(var pieces) -> text(pieces, path);
      case TemplateNode.MappingNode(var fields) -> Optional.of(mapping(fields, path));
      case TemplateNode.SequenceNode(var items) -> Optional.of(sequence(items, path));
    };
  }

  private Optional<Object> computed(CompiledExpression expression, ObjectPath path) {
    try {
      return CelValues.toPlain(expression.evaluate(variables, budget));
    } catch (UnusableResultException e) {
      return failed(expression, path, e);
    }
  }

  private Optional<Object> text(List<TemplateNode.TextPiece> pieces, ObjectPath path) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      switch (piece) {
        case TemplateNode.FixedPiece(var fixed) -> text.append(fixed);
        case TemplateNode.ExpressionPiece(var expression) -> {
          try {
            text.append(CelValues.toText(expression.evaluate(variables, budget)));
          } catch (UnusableResultException e) {
            failed(expression, path, e);
          }
        }
      }
    }
    return Optional.of(text.toString());
  }

  private Map<String, Object> mapping(List<TemplateNode.MappingField> fields, ObjectPath path) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (var field : fields) {
      var key = node(field.name(), path);
      if (key.isEmpty()) {
        continue;
      }
      var name = key.get().toString();
      var inner = path.field(name);
      if (key.get() instanceof Map || key.get() instanceof List) {
        errors.add(inner, field.position(), "a key must be a string");
      }
      node(field.value(), inner)
          .filter(value -> map.putIfAbsent(name, value) != null)
          .ifPresent(twice -> errors.add(inner, field.position(), "this key occurs twice"));
    }
    return map;
  }

  private List<Object> sequence(List<TemplateNode> items, ObjectPath path) {
    List<Object> list = new ArrayList<>(items.size());
    for (var i = 0; i < items.size(); i++) {
      node(items.get(i), path.item(i)).ifPresent(list::add);
    }
    return list;
  }

  private Optional<Object> failed(
      CompiledExpression expression, ObjectPath path, UnusableResultException cause) {
    errors.add(
        path,
        expression.position(),
        Excerpt.of(cause.getMessage(), LONGEST_MESSAGE)
            + " in ${"
            + Excerpt.of(expression.text(), LONGEST_EXPRESSION)
            + "}");
    if (budget.exceeded().isPresent()) {
      errors.throwIfAny();
    }
    return Optional.empty();
  }
}
