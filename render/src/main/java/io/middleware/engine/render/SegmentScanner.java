package io.middleware.engine.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Splits a string scalar into text and <code>${…}</code> expressions; <code>$${</code> is a literal
 * <code>${</code>. The closing brace is found by the rules of CEL: braces inside strings (plain,
 * raw, triple-quoted) and comments do not count; those of map literals are paired.
 */
final class SegmentScanner {
  private static final Set<String> RAW_PREFIXES = Set.of("r", "br", "rb");

  private final int[] scalar;
  private final List<ScalarSegment> segments = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private int at;

  private SegmentScanner(String scalar) {
    this.scalar = scalar.codePoints().toArray();
  }

  static List<ScalarSegment> scan(String scalar) {
    return new SegmentScanner(scalar).scan();
  }

  private List<ScalarSegment> scan() {
    while (at < scalar.length) {
      if (isAt("$${")) {
        text.append("${");
        at += 3;
      } else if (isAt("${")) {
        flushText();
        code();
      } else {
        text.appendCodePoint(scalar[at++]);
      }
    }
    flushText();
    return segments;
  }

  private void flushText() {
    if (!text.isEmpty()) {
      segments.add(new ScalarSegment.LiteralSegment(text.toString()));
      text.setLength(0);
    }
  }

  private void code() {
    var opening = at;
    at += 2;
    var depth = 1;
    while (at < scalar.length) {
      switch (scalar[at]) {
        case '{' -> depth++;
        case '}' -> depth--;
        case '\'', '"' -> skipString();
        case '/' -> skipComment();
        default -> {}
      }
      at++;
      if (depth == 0) {
        var first = opening + 2;
        segments.add(
            new ScalarSegment.ExpressionSegment(new String(scalar, first, at - 1 - first), first));
        return;
      }
    }
    segments.add(new ScalarSegment.UnclosedSegment(opening));
  }

  /** Leaves {@code at} on the last quote. */
  private void skipString() {
    var raw = RAW_PREFIXES.contains(identifierBefore().toLowerCase(Locale.ROOT));
    var quote = Character.toString(scalar[at]);
    var closing = isAt(quote.repeat(3)) ? quote.repeat(3) : quote;
    at += closing.length();
    while (at < scalar.length && !isAt(closing)) {
      at += scalar[at] == '\\' && !raw ? 2 : 1;
    }
    at += closing.length() - 1;
  }

  private String identifierBefore() {
    var start = at;
    while (start > 0 && Character.isUnicodeIdentifierPart(scalar[start - 1])) {
      start--;
    }
    return new String(scalar, start, at - start);
  }

  /** Leaves {@code at} on the end of the line. */
  private void skipComment() {
    if (isAt("//")) {
      while (at < scalar.length && scalar[at] != '\n') {
        at++;
      }
    }
  }

  private boolean isAt(String expected) {
    if (at + expected.length() > scalar.length) {
      return false;
    }
    for (var i = 0; i < expected.length(); i++) {
      if (scalar[at + i] != expected.charAt(i)) {
        return false;
      }
    }
    return true;
  }
}
