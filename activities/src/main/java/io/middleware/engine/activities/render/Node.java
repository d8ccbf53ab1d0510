package io.middleware.engine.activities.render;

import java.util.List;

/** A compiled template. */
sealed interface Node {

  /** A String, Boolean, Number or null. */
  record Literal(Object value) implements Node {}

  /** A scalar that is one expression alone: takes that expression's type. */
  record Computed(Expression expression) implements Node {}

  /** Text with expressions in it. */
  record Text(List<Piece> pieces) implements Node {
    public Text {
      pieces = List.copyOf(pieces);
    }
  }

  /** A piece of a text: either fixed or computed. */
  sealed interface Piece {}

  record Fixed(String text) implements Piece {}

  record Inserted(Expression expression) implements Piece {}

  record Mapping(List<Field> fields) implements Node {
    public Mapping {
      fields = List.copyOf(fields);
    }
  }

  /** Its name is a Literal, Computed or Text. */
  record Field(Node name, Node value, Place place) {}

  record Sequence(List<Node> items) implements Node {
    public Sequence {
      items = List.copyOf(items);
    }
  }
}
