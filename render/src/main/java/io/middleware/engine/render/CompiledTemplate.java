package io.middleware.engine.render;

import io.middleware.engine.render.expression.CompiledExpression;
import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.expression.SourcePosition;
import io.middleware.engine.render.expression.UnusableResultException;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A template that can be rendered repeatedly. Thread-safe. */
public final class CompiledTemplate {
  private final String name;

  /** As many as the objects that a group may have. */
  static final int MOST_ELEMENTS = 50;

  private static final ObjectPath FOR_EACH = ObjectPath.ROOT.field("forEach");

  private final List<Document> documents;
  private final Optional<CompiledExpression> forEach;

  /**
   * @param forEach gives the elements of a list, for each of which it is rendered; empty: once
   */
  CompiledTemplate(String name, List<Document> documents, Optional<CompiledExpression> forEach) {
    this.name = name;
    this.documents = List.copyOf(documents);
    this.forEach = forEach;
  }

  public String name() {
    return name;
  }

  /**
   * Evaluates all expressions with the values of one group.
   *
   * @param budget shared by all templates of the group
   * @return fresh trees of LinkedHashMap, ArrayList, String, Boolean and numbers, one per object;
   *     integers as Integer or Long
   * @throws TemplateException if expressions fail with these values; lists all of them
   */
  public List<Map<String, Object>> render(RenderContext context, RenderBudget budget) {
    var errors = new TemplateErrors(name);
    var variables = context.variables();
    List<Map<String, Object>> objects = new ArrayList<>();
    forEach.ifPresentOrElse(
        list -> objects.addAll(each(elements(list, variables, budget, errors), variables, budget)),
        () -> objects.addAll(objects(variables, budget, errors)));
    errors.throwIfAny();
    return objects;
  }

  private List<Map<String, Object>> objects(
      Map<String, Object> variables, RenderBudget budget, TemplateErrors errors) {
    var rendering = new TemplateEvaluation(variables, budget, errors);
    return documents.stream().flatMap(document -> rendering.object(document).stream()).toList();
  }

  private static List<?> elements(
      CompiledExpression list,
      Map<String, Object> variables,
      RenderBudget budget,
      TemplateErrors errors) {
    try {
      if (list.evaluate(variables, budget) instanceof List<?> elements) {
        if (elements.size() > MOST_ELEMENTS) {
          errors.add(
              FOR_EACH,
              list.position(),
              "gives %d elements, and may give at most %d"
                  .formatted(elements.size(), MOST_ELEMENTS));
        }
        errors.throwIfAny();
        return elements;
      }
      errors.add(FOR_EACH, list.position(), "is not a list");
    } catch (UnusableResultException e) {
      errors.add(FOR_EACH, list.position(), e.getMessage());
    }
    errors.throwIfAny();
    return List.of();
  }

  private List<Map<String, Object>> each(
      List<?> elements, Map<String, Object> variables, RenderBudget budget) {
    List<Map<String, Object>> all = new ArrayList<>();
    Map<List<Object>, Integer> names = new HashMap<>();
    for (var i = 0; i < elements.size(); i++) {
      var own = new HashMap<>(variables);
      own.put("item", elements.get(i));
      own.put("ordinal", (long) i);
      var errors = new TemplateErrors("%s (element %d of forEach)".formatted(name, i));
      var objects = objects(own, budget, errors);
      for (var object : objects) {
        var before = names.putIfAbsent(identity(object), i);
        if (before != null && before != i) {
          errors.add(
              ObjectPath.ROOT.field("metadata").field("name"),
              documents.getFirst().position(),
              "element %d has the same %s: use item or ordinal in the name"
                  .formatted(before, described(object)));
        }
      }
      errors.throwIfAny();
      all.addAll(objects);
    }
    return all;
  }

  private static List<Object> identity(Map<String, Object> object) {
    return Arrays.asList(object.get("apiVersion"), object.get("kind"), objectName(object));
  }

  private static String described(Map<String, Object> object) {
    return "%s/%s".formatted(object.get("kind"), objectName(object));
  }

  private static Object objectName(Map<String, Object> object) {
    return object.get("metadata") instanceof Map<?, ?> metadata ? metadata.get("name") : null;
  }

  record Document(TemplateNode root, SourcePosition position) {}
}
