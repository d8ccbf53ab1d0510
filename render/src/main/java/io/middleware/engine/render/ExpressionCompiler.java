package io.middleware.engine.render;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelKind;
import dev.cel.runtime.CelEvaluationException;
import io.middleware.engine.render.expression.CelEnvironment;
import io.middleware.engine.render.expression.CompiledExpression;
import io.middleware.engine.render.expression.CostlyCall;
import io.middleware.engine.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compiles all expressions of one template. */
final class ExpressionCompiler {
  private static final TemplateNode NOTHING = new TemplateNode.LiteralNode(null);
  private static final Set<CelKind> TRUTHS = Set.of(CelKind.BOOL, CelKind.DYN, CelKind.ANY);
  private static final Set<CelKind> LISTS = Set.of(CelKind.LIST, CelKind.DYN, CelKind.ANY);

  private final CelEnvironment environment;
  private final TemplateErrors errors;

  ExpressionCompiler(CelEnvironment environment, TemplateErrors errors) {
    this.environment = environment;
    this.errors = errors;
  }

  /** Compiles a whole object: a mapping, or one expression that returns a mapping. */
  CompiledTemplate.Document object(ParsedTemplate source) {
    var node = node(source, ObjectPath.ROOT);
    if (!(node instanceof TemplateNode.MappingNode
        || node instanceof TemplateNode.ExpressionNode
        || node == NOTHING)) {
      errors.add(ObjectPath.ROOT, source.position(), "an object must be a mapping");
    }
    return new CompiledTemplate.Document(node, source.position());
  }

  /** Compiles a text that is one expression as a whole, and is true or false. */
  Optional<CompiledExpression> condition(String text, ObjectPath path) {
    var context = new Context(TreeSource.scalar(text), path, false);
    var compiled = expression(new ScalarSegment.ExpressionSegment(text, 0), context);
    if (compiled.isPresent() && !isOneOf(TRUTHS, text)) {
      error(context, 0, "must be true or false");
    }
    return compiled;
  }

  /** Compiles a text that is one expression as a whole, and gives a list. */
  Optional<CompiledExpression> list(String text, ObjectPath path) {
    var context = new Context(TreeSource.scalar(text), path, false);
    var compiled = expression(new ScalarSegment.ExpressionSegment(text, 0), context);
    if (compiled.isPresent() && !isOneOf(LISTS, text)) {
      error(context, 0, "must be a list");
    }
    return compiled;
  }

  private boolean isOneOf(Set<CelKind> kinds, String expression) {
    try {
      return kinds.contains(environment.check(expression).getResultType().kind());
    } catch (CelValidationException e) {
      return false;
    }
  }

  private TemplateNode node(ParsedTemplate source, ObjectPath path) {
    return switch (source) {
      case ParsedTemplate.ParsedMapping mapping -> mapping(mapping, path);
      case ParsedTemplate.ParsedSequence sequence -> sequence(sequence, path);
      case ParsedTemplate.ParsedScalar scalar -> scalar(scalar, path);
    };
  }

  private TemplateNode mapping(ParsedTemplate.ParsedMapping mapping, ObjectPath path) {
    List<TemplateNode.MappingField> fields = new ArrayList<>(mapping.entries().size());
    Set<Object> seen = new HashSet<>();
    for (var entry : mapping.entries()) {
      var inner = path.field(String.valueOf(entry.key().value()));
      if (!seen.add(entry.key().value())) {
        errors.add(inner, entry.key().position(), "this key occurs twice");
      }
      var name = scalar(entry.key(), inner);
      fields.add(
          new TemplateNode.MappingField(name, node(entry.value(), inner), entry.key().position()));
    }
    return new TemplateNode.MappingNode(fields);
  }

  private TemplateNode sequence(ParsedTemplate.ParsedSequence sequence, ObjectPath path) {
    List<TemplateNode> items = new ArrayList<>(sequence.items().size());
    for (var item : sequence.items()) {
      items.add(node(item, path.item(items.size())));
    }
    return new TemplateNode.SequenceNode(items);
  }

  private TemplateNode scalar(ParsedTemplate.ParsedScalar scalar, ObjectPath path) {
    if (!(scalar.value() instanceof String text)) {
      return new TemplateNode.LiteralNode(scalar.value());
    }
    var segments = SegmentScanner.scan(text);
    if (segments.size() == 1
        && segments.getFirst() instanceof ScalarSegment.ExpressionSegment code) {
      return expression(code, new Context(scalar, path, false))
          .<TemplateNode>map(TemplateNode.ExpressionNode::new)
          .orElse(NOTHING);
    }
    List<TemplateNode.TextPiece> pieces = new ArrayList<>(segments.size());
    segments.forEach(
        segment -> piece(segment, new Context(scalar, path, true)).ifPresent(pieces::add));
    return new TemplateNode.TextNode(pieces);
  }

  private Optional<TemplateNode.TextPiece> piece(ScalarSegment segment, Context context) {
    return switch (segment) {
      case ScalarSegment.LiteralSegment(var text) -> Optional.of(new TemplateNode.FixedPiece(text));
      case ScalarSegment.ExpressionSegment code ->
          expression(code, context).map(TemplateNode.ExpressionPiece::new);
      case ScalarSegment.UnclosedSegment(var offset) -> {
        error(context, offset, "this ${ is never closed; write $${ for a literal ${");
        yield Optional.empty();
      }
    };
  }

  private Optional<CompiledExpression> expression(
      ScalarSegment.ExpressionSegment code, Context context) {
    if (code.text().isBlank()) {
      error(context, code.offset(), "the expression is empty");
      return Optional.empty();
    }
    try {
      return Optional.of(typed(code, context, environment.check(code.text())));
    } catch (CelValidationException e) {
      for (var issue : e.getErrors()) {
        error(
            context,
            code.offset() + offset(code.text(), issue.getSourceLocation()),
            issue.getMessage());
      }
    } catch (CelEvaluationException e) {
      error(context, code.offset(), e.getMessage());
    }
    return Optional.empty();
  }

  private CompiledExpression typed(
      ScalarSegment.ExpressionSegment code, Context context, CelAbstractSyntaxTree checked)
      throws CelEvaluationException {
    var type = checked.getResultType();
    if (!fits(type.kind(), context.insideText())) {
      error(
          context, code.offset(), "a value of type " + type.name() + misfit(type.kind(), context));
    }
    var position = context.scalar().offsets().positionOf(code.offset());
    return new CompiledExpression(
        code.text().strip(), position, environment.program(checked), CostlyCall.in(checked));
  }

  private static boolean fits(CelKind kind, boolean insideText) {
    return switch (kind) {
      case STRING, INT, UINT, DOUBLE, BOOL, DYN, ANY, TYPE_PARAM -> true;
      case MAP, LIST, BYTES, OPAQUE, NULL_TYPE -> !insideText;
      case UNSPECIFIED, ERROR, STRUCT, DURATION, TIMESTAMP, TYPE -> false;
    };
  }

  private static String misfit(CelKind kind, Context context) {
    if (!context.insideText()) {
      return " cannot be expressed in YAML; string(…) converts it to a string";
    }
    return " cannot be part of a longer text" + (kind == CelKind.OPAQUE ? "; use .orValue(…)" : "");
  }

  private void error(Context context, int offset, String message) {
    errors.add(context.path(), context.scalar().offsets().positionOf(offset), message);
  }

  /** CEL counts lines from 1 and columns from 0, and sometimes reports a position past the end. */
  private static int offset(String expression, CelSourceLocation location) {
    var codePoints = expression.codePoints().toArray();
    var offset = 0;
    for (var line = 1; line < location.getLine() && offset < codePoints.length; offset++) {
      line = codePoints[offset] == '\n' ? line + 1 : line;
    }
    return Math.clamp(offset + Math.max(0, location.getColumn()), 0, codePoints.length);
  }

  private record Context(ParsedTemplate.ParsedScalar scalar, ObjectPath path, boolean insideText) {}
}
