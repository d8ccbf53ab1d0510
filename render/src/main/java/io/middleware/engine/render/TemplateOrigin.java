package io.middleware.engine.render;

import java.util.Map;

/**
 * The source of a template: either a tree or a text.
 *
 * @param forEach the expression that gives the elements for which it is rendered; empty: once
 */
record TemplateOrigin(String name, Map<String, Object> tree, String text, String forEach) {

  CompiledTemplate compiled(TemplateCompiler compiler) {
    if (!forEach.isEmpty()) {
      return compiler.compileForEach(name, tree, text, forEach);
    }
    return text.isEmpty() ? compiler.compile(name, tree) : compiler.compileText(name, text);
  }
}
