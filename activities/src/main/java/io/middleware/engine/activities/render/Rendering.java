package io.middleware.engine.activities.render;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One evaluation of one template. An empty answer drops the key, item or object it was asked for.
 */
final class Rendering {
  private final Map<String, Object> variables;
  private final TemplateErrors errors;

  Rendering(Map<String, Object> variables, TemplateErrors errors) {
    this.variables = variables;
    this.errors = errors;
  }

  Optional<Map<String, Object>> object(CompiledTemplate.Document document) {
    return switch (node(document.root(), Path.ROOT).orElse(null)) {
      case null -> Optional.empty();
      case Map<?, ?> map -> {
        Map<String, Object> object = new LinkedHashMap<>();
        map.forEach((key, value) -> object.put((String) key, value));
        yield Optional.of(object);
      }
      case Object other -> {
        errors.add(Path.ROOT, document.place(), "an object must be a mapping, this gave " + other);
        yield Optional.empty();
      }
    };
  }

  private Optional<Object> node(Node node, Path path) {
    return switch (node) {
      case Node.Literal(var value) -> Optional.ofNullable(value);
      case Node.Computed(var expression) -> computed(expression, path);
      case Node.Text(var pieces) -> text(pieces, path);
      case Node.Mapping(var fields) -> Optional.of(mapping(fields, path));
      case Node.Sequence(var items) -> Optional.of(sequence(items, path));
    };
  }

  private Optional<Object> computed(Expression expression, Path path) {
    try {
      return CelValues.toPlain(expression.evaluate(variables));
    } catch (UnusableResultException e) {
      return failed(expression, path, e);
    }
  }

  private Optional<Object> text(List<Node.Piece> pieces, Path path) {
    var text = new StringBuilder();
    for (var piece : pieces) {
      switch (piece) {
        case Node.Fixed(var fixed) -> text.append(fixed);
        case Node.Inserted(var expression) -> {
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

  private Map<String, Object> mapping(List<Node.Field> fields, Path path) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (var field : fields) {
      var key = node(field.name(), path);
      if (key.isEmpty()) {
        continue;
      }
      var name = key.get().toString();
      var inner = path.field(name);
      if (key.get() instanceof Map || key.get() instanceof List) {
        errors.add(inner, field.place(), "a key must be a text");
      }
      node(field.value(), inner)
          .filter(value -> map.putIfAbsent(name, value) != null)
          .ifPresent(twice -> errors.add(inner, field.place(), "this key stands here twice"));
    }
    return map;
  }

  private List<Object> sequence(List<Node> items, Path path) {
    List<Object> list = new ArrayList<>(items.size());
    for (var i = 0; i < items.size(); i++) {
      node(items.get(i), path.item(i)).ifPresent(list::add);
    }
    return list;
  }

  private Optional<Object> failed(Expression expression, Path path, UnusableResultException cause) {
    errors.add(path, expression.place(), cause.getMessage() + " in ${" + expression.text() + "}");
    return Optional.empty();
  }
}
