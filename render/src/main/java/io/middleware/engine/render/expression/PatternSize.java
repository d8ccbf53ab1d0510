package io.middleware.engine.render.expression;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Bounds regular expressions of RE2 before they are compiled: RE2 takes linear time, but it copies
 * what is repeated, so <code>((a{1000}){1000}){1000}</code> has a program of a billion steps.
 */
public final class PatternSize {
  private static final int MAX_SIZE = 10_000;
  private static final long MAX_WORK = 10_000_000;
  private static final Pattern REPEAT = Pattern.compile("\\{([0-9]{1,9})(,([0-9]{1,9})?)?}");

  private final String pattern;
  private final Deque<Long> outer = new ArrayDeque<>();
  private long size;
  private long last;
  private int next;

  private PatternSize(String pattern) {
    this.pattern = pattern;
  }

  /** What is wrong with matching a text of this length; empty if nothing is. */
  public static Optional<String> problem(String pattern, int textLength) {
    var size = of(pattern);
    if (size > MAX_SIZE) {
      return Optional.of("the pattern is too large, count its repetitions: use smaller ones");
    }
    return size * textLength > MAX_WORK
        ? Optional.of("a text of %d characters is too long for this pattern".formatted(textLength))
        : Optional.empty();
  }

  /**
   * The number of steps of its program, at least; much larger patterns are not counted to the end.
   */
  static long of(String pattern) {
    return pattern.length() > MAX_SIZE ? pattern.length() : new PatternSize(pattern).measure();
  }

  private long measure() {
    while (next < pattern.length() && size <= MAX_SIZE) {
      step(pattern.charAt(next));
    }
    return size;
  }

  private void step(char character) {
    switch (character) {
      case '\\' -> {
        next += 2;
        atom(1);
      }
      case '[' -> {
        next = endOfClass();
        atom(1);
      }
      case '(' -> {
        outer.push(size);
        size = 0;
        next++;
      }
      case ')' -> {
        var inner = size + 2;
        size = outer.isEmpty() ? 0 : outer.pop();
        next++;
        atom(inner);
      }
      case '{' -> repeat();
      default -> {
        next++;
        atom(1);
      }
    }
  }

  private void atom(long length) {
    last = length;
    size += length;
  }

  private void repeat() {
    var repeat = REPEAT.matcher(pattern).region(next, pattern.length());
    if (!repeat.lookingAt()) {
      next++;
      atom(1);
      return;
    }
    var copies = Long.parseLong(repeat.group(repeat.group(3) == null ? 1 : 3)) + 1;
    size += last * copies;
    last *= copies;
    next = repeat.end();
  }

  /** The first "]" of a class is one of its characters. */
  private int endOfClass() {
    var end = next + 1;
    end += pattern.startsWith("^", end) ? 1 : 0;
    end += pattern.startsWith("]", end) ? 1 : 0;
    while (end < pattern.length() && pattern.charAt(end) != ']') {
      var named = pattern.startsWith("[:", end) ? pattern.indexOf(":]", end + 2) : -1;
      end = named > 0 ? named + 2 : end + (pattern.charAt(end) == '\\' ? 2 : 1);
    }
    return end + 1;
  }
}
