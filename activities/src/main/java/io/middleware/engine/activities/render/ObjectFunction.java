package io.middleware.engine.activities.render;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import io.middleware.engine.activities.render.ObjectSource.UnreadableObjectException;
import java.util.Map;

/** The function {@code object(kind, name)}, which reads an object at each evaluation. */
final class ObjectFunction {
  private static final String NAME = "object";
  private static final String OVERLOAD = "engine_object_string_string";

  static final CelFunctionDecl DECLARATION =
      CelFunctionDecl.newFunctionDeclaration(
          NAME,
          CelOverloadDecl.newGlobalOverload(
              OVERLOAD,
              MapType.create(SimpleType.STRING, SimpleType.DYN),
              SimpleType.STRING,
              SimpleType.STRING));

  private ObjectFunction() {}

  /** Whether the expression certainly asks for a Secret. */
  static boolean readsSecret(CelAbstractSyntaxTree checked) {
    return CelNavigableAst.fromAst(checked)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == Kind.CALL)
        .map(node -> node.expr().call())
        .filter(call -> call.function().equals(NAME) && !call.args().isEmpty())
        .map(call -> call.args().getFirst())
        .filter(kind -> kind.getKind() == Kind.CONSTANT)
        .anyMatch(kind -> isSecret(kind.constant().stringValue()));
  }

  private static boolean isSecret(String kind) {
    return ObjectSource.SECRET.equalsIgnoreCase(kind);
  }

  /** The function over these objects; Secrets are never among them. */
  @SuppressWarnings("Immutable") // the objects are what the function is about
  static CelFunctionResolver over(ObjectSource objects) {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from(
            OVERLOAD, String.class, String.class, (kind, name) -> read(objects, kind, name)));
  }

  private static Map<String, Object> read(ObjectSource objects, String kind, String name)
      throws CelEvaluationException {
    if (isSecret(kind)) {
      throw new CelEvaluationException("object: a Secret is never read");
    }
    try {
      return CelValues.fromPlain(objects.read(kind, name));
    } catch (UnreadableObjectException e) {
      throw new CelEvaluationException("object: " + e.getMessage());
    }
  }
}
