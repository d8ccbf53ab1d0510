package io.middleware.engine.render;

import io.middleware.engine.render.expression.RenderBudget;
import io.middleware.engine.render.expression.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A template that can be rendered repeatedly. Thread-safe. */
public final class CompiledTemplate {
  private final String name;
  private final List<Document> documents;

  CompiledTemplate(String name, List<Document> documents) {
    this.name = name;
    this.documents = List.copyOf(documents);
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
    var rendering = new TemplateEvaluation(context.variables(), budget, errors);
    List<Map<String, Object>> objects = new ArrayList<>();
    documents.forEach(document -> rendering.object(document).ifPresent(objects::add));
    errors.throwIfAny();
    return objects;
  }

  record Document(TemplateNode root, SourcePosition position) {}
}
