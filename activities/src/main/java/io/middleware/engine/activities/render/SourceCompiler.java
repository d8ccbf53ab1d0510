package io.middleware.engine.activities.render;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelKind;
import dev.cel.runtime.CelEvaluationException;
import io.middleware.engine.activities.render.guard.ObjectPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Compiles the expressions of one template, wherever they stand in it. */
final class SourceCompiler {
  private static final TemplateNode NOTHING = new TemplateNode.Literal(null);

  private final CelEnvironment environment;
  private final TemplateErrors errors;

  SourceCompiler(CelEnvironment environment, TemplateErrors errors) {
    this.environment = environment;
    this.errors = errors;
  }

  /** A whole object: a mapping, or one expression that gives one. */
  CompiledTemplate.Document object(ParsedTemplate source) {
    var node = node(source, ObjectPath.ROOT);
    if (!(node instanceof TemplateNode.Mapping
        || node instanceof TemplateNode.Computed
        || node == NOTHING)) {
      errors.add(ObjectPath.ROOT, source.place(), "an object must be a mapping");
    }
    return new CompiledTemplate.Document(node, source.place());
  }

  private TemplateNode node(ParsedTemplate source, ObjectPath path) {
    return switch (source) {
      case ParsedTemplate.Mapping mapping -> mapping(mapping, path);
      case ParsedTemplate.Sequence sequence -> sequence(sequence, path);
      case ParsedTemplate.Scalar scalar -> scalar(scalar, path);
    };
  }

  private TemplateNode mapping(ParsedTemplate.Mapping mapping, ObjectPath path) {
    List<TemplateNode.Field> fields = new ArrayList<>(mapping.entries().size());
    Set<Object> seen = new HashSet<>();
    for (var entry : mapping.entries()) {
      var inner = path.field(String.valueOf(entry.key().value()));
      if (!seen.add(entry.key().value())) {
        errors.add(inner, entry.key().place(), "this key occurs twice");
      }
      var name = scalar(entry.key(), inner);
      fields.add(new TemplateNode.Field(name, node(entry.value(), inner), entry.key().place()));
    }
    return new TemplateNode.Mapping(fields);
  }

  private TemplateNode sequence(ParsedTemplate.Sequence sequence, ObjectPath path) {
    List<TemplateNode> items = new ArrayList<>(sequence.items().size());
    for (var item : sequence.items()) {
      items.add(node(item, path.item(items.size())));
    }
    return new TemplateNode.Sequence(items);
  }

  private TemplateNode scalar(ParsedTemplate.Scalar scalar, ObjectPath path) {
    if (!(scalar.value() instanceof String text)) {
      return new TemplateNode.Literal(scalar.value());
    }
    var segments = SegmentScanner.scan(text);
    if (segments.size() == 1 && segments.getFirst() instanceof ScalarSegment.Code code) {
      return expression(code, new Context(scalar, path, false))
          .<TemplateNode>map(TemplateNode.Computed::new)
          .orElse(NOTHING);
    }
    List<TemplateNode.Piece> pieces = new ArrayList<>(segments.size());
    segments.forEach(
        segment -> piece(segment, new Context(scalar, path, true)).ifPresent(pieces::add));
    return new TemplateNode.Text(pieces);
  }

  private Optional<TemplateNode.Piece> piece(ScalarSegment segment, Context context) {
    return switch (segment) {
      case ScalarSegment.Text(var text) -> Optional.of(new TemplateNode.Fixed(text));
      case ScalarSegment.Code code -> expression(code, context).map(TemplateNode.Inserted::new);
      case ScalarSegment.Unclosed(var offset) -> {
        error(context, offset, "this ${ is never closed; write $${ for a literal ${");
        yield Optional.empty();
      }
    };
  }

  private Optional<CompiledExpression> expression(ScalarSegment.Code code, Context context) {
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
      ScalarSegment.Code code, Context context, CelAbstractSyntaxTree checked)
      throws CelEvaluationException {
    var type = checked.getResultType();
    if (!fits(type.kind(), context.insideText())) {
      error(
          context, code.offset(), "a value of type " + type.name() + misfit(type.kind(), context));
    }
    var place = context.scalar().offsets().placeOf(code.offset());
    return new CompiledExpression(code.text().strip(), place, environment.program(checked));
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
    return " cannot be part of a longer text"
        + (kind == CelKind.OPAQUE ? "; use .orValue(…)" : "");
  }

  private void error(Context context, int offset, String message) {
    errors.add(context.path(), context.scalar().offsets().placeOf(offset), message);
  }

  /** CEL counts lines from 1 and columns from 0, and now and then points past the end. */
  private static int offset(String expression, CelSourceLocation location) {
    var codePoints = expression.codePoints().toArray();
    var offset = 0;
    for (var line = 1; line < location.getLine() && offset < codePoints.length; offset++) {
      line = codePoints[offset] == '\n' ? line + 1 : line;
    }
    return Math.clamp(offset + Math.max(0, location.getColumn()), 0, codePoints.length);
  }

  private record Context(ParsedTemplate.Scalar scalar, ObjectPath path, boolean insideText) {}
}
