package io.middleware.engine.workflows.temporal;

import io.middleware.engine.api.task.Excerpt;
import java.util.List;

/** Text of users and agents in Markdown: it is shown literally, in one line, and not as markup. */
public final class Markdown {
  /** The backslash comes first, as it escapes the others. */
  private static final List<String> MARKUP =
      List.of("\\", "`", "*", "_", "[", "]", "<", ">", "|", "~", "#", "!");

  private Markdown() {}

  /** The text as it is shown. */
  public static String escape(String text) {
    var escaped = Excerpt.start(text, text.length());
    for (var mark : MARKUP) {
      escaped = escaped.replace(mark, "\\" + mark);
    }
    // otherwise an address becomes a link by itself
    return escaped.replace("://", ":\\/\\/").replace("www.", "www\\.");
  }
}
