package io.middleware.engine.activities.render;

import java.util.List;

/** A compiled template. */
sealed interface TemplateNode {

  /** A String, Boolean, Number or null. */
  record Literal(Object value) implements TemplateNode {}

  /** A scalar that is one expression alone: takes that expression's type. */
  record Computed(CompiledExpression expression) implements TemplateNode {}

  /** Text with expressions in it. */
  record Text(List<Piece> pieces) implements TemplateNode {
    public Text {
      pieces = List.copyOf(pieces);
    }
  }

  /** A piece of a text: either fixed or computed. */
  sealed interface Piece {}

  record Fixed(String text) implements Piece {}

  record Inserted(CompiledExpression expression) implements Piece {}

  record Mapping(List<Field> fields) implements TemplateNode {
    public Mapping {
      fields = List.copyOf(fields);
    }
  }

  /** Its name is a Literal, Computed or Text. */
  record Field(TemplateNode name, TemplateNode value, SourcePosition place) {}

  record Sequence(List<TemplateNode> items) implements TemplateNode {
    public Sequence {
      items = List.copyOf(items);
    }
  }
}
