package io.middleware.engine.render;

import io.middleware.engine.render.expression.CompiledExpression;
import io.middleware.engine.render.expression.SourcePosition;
import java.util.List;

/** A compiled template. */
sealed interface TemplateNode {

  /** A String, Boolean, Number or null. */
  record LiteralNode(Object value) implements TemplateNode {}

  /** A scalar that consists of one expression and has the expression's type. */
  record ExpressionNode(CompiledExpression expression) implements TemplateNode {}

  /** A text with expressions in it. */
  record TextNode(List<TextPiece> pieces) implements TemplateNode {
    public TextNode {
      pieces = List.copyOf(pieces);
    }
  }

  /** A piece of a text: either fixed or computed. */
  sealed interface TextPiece {}

  record FixedPiece(String text) implements TextPiece {}

  record ExpressionPiece(CompiledExpression expression) implements TextPiece {}

  record MappingNode(List<MappingField> fields) implements TemplateNode {
    public MappingNode {
      fields = List.copyOf(fields);
    }
  }

  /** The name is a LiteralNode, ExpressionNode or TextNode. */
  record MappingField(TemplateNode name, TemplateNode value, SourcePosition position) {}

  record SequenceNode(List<TemplateNode> items) implements TemplateNode {
    public SequenceNode {
      items = List.copyOf(items);
    }
  }
}
