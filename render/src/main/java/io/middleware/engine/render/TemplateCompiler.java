package io.middleware.engine.render;

import com.google.common.base.Suppliers;
import io.middleware.engine.render.expression.CelEnvironment;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compiles templates: object trees whose scalars may contain <code>${…}</code> expressions. Reports
 * all errors of a template at once. Thread-safe; construction takes about a second, so share the
 * instance.
 */
public final class TemplateCompiler {
  private final CelEnvironment environment = new CelEnvironment();
  private final Supplier<CelEnvironment> ofElements = Suppliers.memoize(CelEnvironment::forEach);

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
   * Compiles a template that is rendered once for each element of a list.
   *
   * @param tree one object; empty if it is a text
   * @param yaml any number of objects
   * @param list an expression
   * @throws TemplateException if the template or the expression has errors
   */
  public CompiledTemplate compileForEach(
      String name, Map<String, ?> tree, String yaml, String list) {
    var errors = new TemplateErrors(name);
    var forEach =
        new ExpressionCompiler(environment, errors).list(list, ObjectPath.ROOT.field("forEach"));
    var documents =
        yaml.isEmpty() ? List.of(new TreeSource(errors).read(tree)) : YamlSource.read(yaml, errors);
    var nodes = nodes(new ExpressionCompiler(ofElements.get(), errors), documents);
    errors.throwIfAny();
    return new CompiledTemplate(name, nodes, forEach);
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
    var nodes = nodes(new ExpressionCompiler(environment, errors), documents);
    errors.throwIfAny();
    return new CompiledTemplate(name, nodes, Optional.empty());
  }

  private static List<CompiledTemplate.Document> nodes(
      ExpressionCompiler compiler, List<ParsedTemplate> documents) {
    return documents.stream().filter(document -> !isEmpty(document)).map(compiler::object).toList();
  }

  private static boolean isEmpty(ParsedTemplate document) {
    return document instanceof ParsedTemplate.ParsedScalar scalar && scalar.value() == null;
  }
}
