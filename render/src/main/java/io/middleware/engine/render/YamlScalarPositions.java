package io.middleware.engine.render;

import io.middleware.engine.render.expression.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/**
 * Maps the characters of a YAML scalar's value, in any style, back to the source text. Steps:
 *
 * <ol>
 *   <li>skip what precedes the content: tag and anchor, the opening quote or the block's header;
 *   <li>advance through value and text together: a character has the position of the next equal
 *       unit of the text (an escape is one unit); white space of the text in between is folding or
 *       indentation;
 *   <li>white space of the value without an equal unit in the text came from folding and has the
 *       current position.
 * </ol>
 *
 * Invariant: value and text hold the same characters other than white space, in the same order.
 */
final class YamlScalarPositions implements ParsedTemplate.ScalarOffsets {
  private static final Map<Integer, Integer> HEX_DIGITS =
      Map.of((int) 'x', 2, (int) 'u', 4, (int) 'U', 8);
  private static final String ESCAPES = "0abtnvfre \"/\\N_LP\t";
  private static final String ESCAPED_CHARACTERS =
      "\0\u0007\b\t\n\u000B\f\r\u001B \"/\\\u0085\u00A0\u2028\u2029\t";

  private final int[] text;
  private final ScalarEvent scalar;
  private final List<SourcePosition> positions = new ArrayList<>();

  private int cursor;
  private int line;
  private int column;

  YamlScalarPositions(int[] text, ScalarEvent scalar) {
    this.text = text;
    this.scalar = scalar;
  }

  @Override
  public SourcePosition positionOf(int offset) {
    if (positions.isEmpty()) {
      recordPositions();
    }
    return positions.get(offset);
  }

  /** Records one position for each code point of the value, and one for its end. */
  private void recordPositions() {
    var mark = scalar.getStartMark().orElseThrow();
    cursor = mark.getIndex();
    line = mark.getLine() + 1;
    column = mark.getColumn() + 1;
    skipToContent();
    scalar.getValue().codePoints().forEach(codePoint -> positions.add(advanceTo(codePoint)));
    positions.add(new SourcePosition(line, column));
  }

  private void skipToContent() {
    while (at(cursor) == '!' || at(cursor) == '&') {
      skipWhile(false);
      skipWhile(true);
    }
    switch (scalar.getScalarStyle()) {
      case SINGLE_QUOTED, DOUBLE_QUOTED -> step(1);
      case LITERAL, FOLDED -> {
        while (cursor < text.length && at(cursor) != '\n') {
          step(1);
        }
        step(1);
      }
      default -> {}
    }
  }

  private void skipWhile(boolean space) {
    while (cursor < text.length && isSpace(at(cursor)) == space) {
      step(1);
    }
  }

  private SourcePosition advanceTo(int codePoint) {
    if (!isSpace(codePoint)) {
      while (cursor < text.length && isSpace(unitValue())) {
        step(unitLength());
      }
    }
    var position = new SourcePosition(line, column);
    if (unitValue() == codePoint) {
      step(unitLength());
    }
    return position;
  }

  private int unitLength() {
    if (isEscape()) {
      return 2 + HEX_DIGITS.getOrDefault(at(cursor + 1), 0);
    }
    var doubledQuote =
        scalar.getScalarStyle() == ScalarStyle.SINGLE_QUOTED
            && at(cursor) == '\''
            && at(cursor + 1) == '\'';
    return doubledQuote ? 2 : 1;
  }

  private int unitValue() {
    if (!isEscape()) {
      return at(cursor);
    }
    var escape = at(cursor + 1);
    var digits = HEX_DIGITS.get(escape);
    if (digits != null) {
      return Integer.parseUnsignedInt(new String(text, cursor + 2, digits), 16);
    }
    var known = ESCAPES.indexOf(escape);
    return known < 0 ? '\n' : ESCAPED_CHARACTERS.charAt(known);
  }

  private boolean isEscape() {
    return scalar.getScalarStyle() == ScalarStyle.DOUBLE_QUOTED && at(cursor) == '\\';
  }

  private void step(int units) {
    for (var i = 0; i < units; i++) {
      var newLine = at(cursor) == '\n';
      line = newLine ? line + 1 : line;
      column = newLine ? 1 : column + 1;
      cursor++;
    }
  }

  private int at(int index) {
    return index < text.length ? text[index] : -1;
  }

  private static boolean isSpace(int codePoint) {
    return codePoint == ' ' || codePoint == '\t' || codePoint == '\n' || codePoint == '\r';
  }
}
