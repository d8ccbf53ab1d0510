package io.middleware.engine.render;

import io.middleware.engine.render.expression.CelEnvironment;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.List;
import java.util.Map;

/**
 * Compiles templates: object trees whose scalars may contain <code>${…}</code> expressions. Reports
 * all errors of a template at once. Thread-safe; construction takes about a second, so share the
 * instance.
 */
public final class TemplateCompiler {
  private final CelEnvironment environment = new CelEnvironment();

  /**
   * Compiles a template that is a tree in its plugin.
   *
   * @param tree one object as maps, lists and scalars
   * @throws TemplateException if the template has errors
   */
  public CompiledTemplate compile(String name, Map<String, ?> tree) {
    var errors = new TemplateErrors(name);
    return compile(name, List.of(new TreeSource(errors).read(tree)), errors);
  }

  /**
   * Compiles a template that is kept as text.
   *
   * @param yaml any number of objects, as YAML documents
   * @throws TemplateException if the template has errors
   */
  public CompiledTemplate compileText(String name, String yaml) {
    var errors = new TemplateErrors(name);
    return compile(name, YamlSource.read(yaml, errors), errors);
  }

  /**
   * Compiles an expression that is true or false.
   *
   * @param field that holds it
   * @throws TemplateException if it has errors
   */
  CompiledCondition compileCondition(String name, String field, String expression) {
    var errors = new TemplateErrors(name);
    var path = ObjectPath.ROOT.field(field);
    var compiled = new ExpressionCompiler(environment, errors).condition(expression, path);
    errors.throwIfAny();
    return new CompiledCondition(name, path, compiled.orElseThrow());
  }

  private CompiledTemplate compile(
      String name, List<ParsedTemplate> documents, TemplateErrors errors) {
    var compiler = new ExpressionCompiler(environment, errors);
    var nodes =
        documents.stream().filter(document -> !isEmpty(document)).map(compiler::object).toList();
    errors.throwIfAny();
    return new CompiledTemplate(name, nodes);
  }

  private static boolean isEmpty(ParsedTemplate document) {
    return document instanceof ParsedTemplate.ParsedScalar scalar && scalar.value() == null;
  }
}
