package io.middleware.engine.render.expression;

/** A line and a column, both counted from 1, columns in code points. */
public record SourcePosition(int line, int column) {

  @Override
  public String toString() {
    return line + ":" + column;
  }
}
