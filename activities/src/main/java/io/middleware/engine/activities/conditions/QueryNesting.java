package io.middleware.engine.activities.conditions;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Whether a query of PromQL can stand between parentheses: whoever writes it must not be able to
 * close them, and so to write what stands around it.
 */
final class QueryNesting {
  private final String query;
  private final Deque<Character> open = new ArrayDeque<>();
  private int at;

  private QueryNesting(String query) {
    this.query = query;
  }

  static boolean isClosed(String query) {
    return new QueryNesting(query).isClosed();
  }

  private boolean isClosed() {
    if (query.chars().anyMatch(QueryNesting::isUnusual)) {
      return false;
    }
    for (; at < query.length(); at++) {
      var legal =
          switch (query.charAt(at)) {
            case '(' -> opens(')');
            case '[' -> opens(']');
            case '{' -> opens('}');
            case ')', ']', '}' -> !open.isEmpty() && open.pop() == query.charAt(at);
            case '"', '\'', '`' -> skipText(query.charAt(at));
            case '#' -> skipComment();
            default -> true;
          };
      if (!legal) {
        return false;
      }
    }
    return open.isEmpty();
  }

  /**
   * Control characters, which Prometheus may read in another way: a carriage return ends a comment
   * there.
   */
  private static boolean isUnusual(int character) {
    return Character.isISOControl(character) && character != '\n' && character != '\t';
  }

  private boolean opens(char end) {
    open.push(end);
    return true;
  }

  /** Only between backticks a backslash is a character like others. */
  private boolean skipText(char quote) {
    for (at++; at < query.length(); at++) {
      if (query.charAt(at) == quote) {
        return true;
      }
      if (query.charAt(at) == '\\' && quote != '`') {
        at++;
      }
    }
    return false;
  }

  private boolean skipComment() {
    while (at + 1 < query.length() && query.charAt(at + 1) != '\n') {
      at++;
    }
    return true;
  }
}
