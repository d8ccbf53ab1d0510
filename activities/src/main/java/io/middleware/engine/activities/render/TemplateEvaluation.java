package io.middleware.engine.activities.render;

import io.middleware.engine.activities.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One evaluation of one template. An empty answer drops the key, item or object it was asked for.
 */
final class TemplateEvaluation {
  private final Map<String, Object> variables;
  private final TemplateErrors errors;

  TemplateEvaluation(Map<String, Object> variables, TemplateErrors errors) {
    this.variables = variables;
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
            ObjectPath.ROOT, document.place(), "an object must be a mapping, but this evaluates to " + other);
        yield Optional.empty();
      }
    };
  }

  private Optional<Object> node(TemplateNode node, ObjectPath path) {
    return switch (node) {
      case TemplateNode.Literal(var value) -> Optional.ofNullable(value);
      case TemplateNode.Computed(var expression) -> computed(expression, path);
      case TemplateNode.Text(var pieces) -> text(pieces, path);
      case TemplateNode.Mapping(var fields) -> Optional.of(mapping(fields, path));
      case TemplateNode.Sequence(var items) -> Optional.of(sequence(items, path));
    };
  }

  private Optional<Object> computed(CompiledExpression expression, ObjectPath path) {
    try {
      return CelValues.toPlain(expression.evaluate(variables));
    } catch (UnusableResultException e) {
      return failed(expression, path, e);
    }
  }

  private Optional<Object> text(List<TemplateNode.Piece> pieces, ObjectPath path) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      switch (piece) {
        case TemplateNode.Fixed(var fixed) -> text.append(fixed);
        case TemplateNode.Inserted(var expression) -> {
          try {
            text.append(CelValues.toText(expression.evaluate(variables)));
          } catch (UnusableResultException e) {
            failed(expression, path, e);
          }
        }
      }
    }
    return Optional.of(text.toString());
  }

  private Map<String, Object> mapping(List<TemplateNode.Field> fields, ObjectPath path) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (var field : fields) {
      var key = node(field.name(), path);
      if (key.isEmpty()) {
        continue;
      }
      var name = key.get().toString();
      var inner = path.field(name);
      if (key.get() instanceof Map || key.get() instanceof List) {
        errors.add(inner, field.place(), "a key must be a string");
      }
      node(field.value(), inner)
          .filter(value -> map.putIfAbsent(name, value) != null)
          .ifPresent(twice -> errors.add(inner, field.place(), "this key occurs twice"));
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
    errors.add(path, expression.place(), cause.getMessage() + " in ${" + expression.text() + "}");
    return Optional.empty();
  }
}
