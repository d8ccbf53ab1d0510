package io.middleware.engine.render.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionResolver;
import dev.cel.runtime.CelLateFunctionBindings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The functions {@code object(kind, name)} and {@code object(apiVersion, kind, name)} of one
 * evaluation, which read objects. Remembers what could not be read.
 */
final class ObjectFunction {
  static final String NAME = "object";

  static final CelType OBJECT = MapType.create(SimpleType.STRING, SimpleType.DYN);
  private static final String BY_NAME = "engine_object_kind_name";
  private static final String BY_VERSION_AND_NAME = "engine_object_version_kind_name";

  static final CelFunctionDecl DECLARATION =
      CelFunctionDecl.newFunctionDeclaration(
          NAME,
          CelOverloadDecl.newGlobalOverload(BY_NAME, OBJECT, SimpleType.STRING, SimpleType.STRING),
          CelOverloadDecl.newGlobalOverload(
              BY_VERSION_AND_NAME,
              OBJECT,
              SimpleType.STRING,
              SimpleType.STRING,
              SimpleType.STRING));

  private final ObjectSource source;
  private Optional<UnreadableObjectException> failure = Optional.empty();

  /**
   * @param source of the objects; Secrets are never asked for
   */
  ObjectFunction(ObjectSource source) {
    this.source = source;
  }

  @SuppressWarnings("Immutable") // the objects are what the function is about
  CelFunctionResolver resolver() {
    return CelLateFunctionBindings.from(
        CelFunctionBinding.from(
            BY_NAME,
            String.class,
            String.class,
            (kind, name) -> read(Optional.empty(), kind, name)),
        CelFunctionBinding.from(
            BY_VERSION_AND_NAME,
            List.of(String.class, String.class, String.class),
            texts -> read(Optional.of((String) texts[0]), (String) texts[1], (String) texts[2])));
  }

  /** Why the last object that could not be read could not. */
  Optional<String> failure() {
    return failure.map(UnreadableObjectException::getMessage);
  }

  /** Throws what its source wants to be thrown. */
  void rethrow() {
    if (failure.isPresent() && failure.get().getCause() instanceof RuntimeException cause) {
      throw cause;
    }
  }

  private Map<String, Object> read(Optional<String> apiVersion, String kind, String name)
      throws CelEvaluationException {
    try {
      if (isSecret(kind)) {
        throw new UnreadableObjectException("a Secret is never read");
      }
      return CelValues.fromPlain(source.object(apiVersion, kind, name));
    } catch (UnreadableObjectException e) {
      failure = Optional.of(e);
      throw new CelEvaluationException(e.getMessage(), e);
    }
  }

  /**
   * Refuses an expression that certainly asks for a Secret.
   *
   * @throws CelEvaluationException saying so
   */
  static void refuseSecrets(CelAbstractSyntaxTree checked) throws CelEvaluationException {
    var asks =
        CelNavigableAst.fromAst(checked)
            .getRoot()
            .allNodes()
            .filter(node -> node.getKind() == Kind.CALL)
            .map(node -> node.expr().call())
            .filter(call -> call.function().equals(NAME))
            .map(call -> call.args().get(call.args().size() - 2))
            .anyMatch(kind -> constant(kind).filter(ObjectFunction::isSecret).isPresent());
    if (asks) {
      throw new CelEvaluationException("a Secret is never read");
    }
  }

  private static boolean isSecret(String kind) {
    return ObjectSource.SECRET.equalsIgnoreCase(kind);
  }

  /** The value, when it is a constant text. */
  static Optional<String> constant(CelExpr expression) {
    return expression.getKind() == Kind.CONSTANT
            && expression.constant().getKind() == CelConstant.Kind.STRING_VALUE
        ? Optional.of(expression.constant().stringValue())
        : Optional.empty();
  }
}
