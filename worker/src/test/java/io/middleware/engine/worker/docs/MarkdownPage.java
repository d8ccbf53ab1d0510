package io.middleware.engine.worker.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One page of the documentation, taken apart.
 *
 * @param file where it is
 * @param text all lines but those of code blocks, which are empty here, so that numbers agree
 * @param code the code blocks, fenced or indented, without comments
 */
record MarkdownPage(Path file, List<String> text, List<String> code) {
  private static final Pattern HEADING = Pattern.compile("(#{1,6}) +(.*?) *");
  private static final Pattern LINK =
      Pattern.compile("!?\\[((?:[^\\[\\]]|\\[[^\\]]*])*)]\\(([^)\\s]+)\\)");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern ITEM = Pattern.compile("\\s*([-*]|\\d+\\.)\\s+.*");
  private static final Pattern END_OF_SENTENCE =
      Pattern.compile("(?<=[.!?][)*\"”]{0,3})\\s+|\\s+·\\s+");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s+)# .*$");
  private static final Pattern COMMAND =
      Pattern.compile("(kubectl|temporal|tctl|curl|kill|mvn|dev/\\w+|echo|eval|journalctl) .*");

  /**
   * @param target as written, with its anchor
   */
  record Link(String text, String target) {}

  /**
   * @param level 1 to 6
   */
  record Heading(int level, String title) {}

  static MarkdownPage read(Path file) throws IOException {
    var text = new ArrayList<String>();
    var code = new ArrayList<String>();
    var fenced = false;
    var indented = false;
    var block = new StringBuilder();
    for (var line : Files.readAllLines(file)) {
      var isFence = line.strip().startsWith("```");
      indented = !fenced && line.startsWith("    ") && (indented || isBlank(text));
      if (fenced || indented) {
        block.append(isFence ? "" : bare(line));
      } else if (!block.isEmpty()) {
        code.add(block.toString());
        block.setLength(0);
      }
      text.add(isFence || fenced || indented ? "" : line);
      fenced = isFence != fenced;
    }
    if (!block.isEmpty()) {
      code.add(block.toString());
    }
    return new MarkdownPage(file, List.copyOf(text), List.copyOf(code));
  }

  private static boolean isBlank(List<String> text) {
    return !text.isEmpty() && text.getLast().isBlank();
  }

  /** Without its comment; a line that is nothing else is left out. */
  private static String bare(String line) {
    var bare = COMMENT.matcher(line).replaceFirst("").stripTrailing();
    return bare.isBlank() ? "" : bare + "\n";
  }

  List<Heading> headings() {
    return text.stream()
        .map(HEADING::matcher)
        .filter(heading -> heading.matches())
        .map(heading -> new Heading(heading.group(1).length(), heading.group(2)))
        .toList();
  }

  /** What {@code #…} may name, as GitHub makes it of headings. */
  List<String> anchors() {
    Map<String, Integer> seen = new HashMap<>();
    return headings().stream()
        .map(heading -> linkTexts(heading.title()).toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .map(
            anchor -> {
              var before = seen.merge(anchor, 1, Integer::sum) - 1;
              return before == 0 ? anchor : anchor + "-" + before;
            })
        .toList();
  }

  List<Link> links() {
    return LINK.matcher(SPAN.matcher(all()).replaceAll(MarkdownPage::withoutBrackets))
        .results()
        .map(link -> new Link(link.group(1), link.group(2)))
        .toList();
  }

  private static String withoutBrackets(MatchResult span) {
    return Matcher.quoteReplacement(span.group().replaceAll("[\\[\\]()]", ""));
  }

  /** What stands in {@code code style} within the text. */
  List<String> spans() {
    return SPAN.matcher(all()).results().map(span -> span.group(1)).toList();
  }

  /** Commands to type that are within the text. */
  List<String> commands() {
    return spans().stream().filter(span -> COMMAND.matcher(span).matches()).toList();
  }

  private String all() {
    return String.join("\n", text);
  }

  /** Paragraphs and list items, each as one line; headings, tables and code are none. */
  List<String> paragraphs() {
    var paragraphs = new ArrayList<String>();
    var open = new StringBuilder();
    for (var line : text) {
      var isProse = !line.isBlank() && !line.startsWith("|") && !line.startsWith("#");
      if (!isProse || ITEM.matcher(line).matches()) {
        paragraphs.add(open.toString());
        open.setLength(0);
      }
      if (isProse) {
        open.append(open.isEmpty() ? "" : " ").append(line.strip());
      }
    }
    paragraphs.add(open.toString());
    return paragraphs.stream()
        .map(MarkdownPage::plain)
        .map(String::strip)
        .filter(paragraph -> !paragraph.isEmpty())
        .toList();
  }

  /**
   * What ends with a full stop, a question or exclamation mark, a dot between items, or a block.
   */
  Stream<String> sentences() {
    return paragraphs().stream().flatMap(END_OF_SENTENCE::splitAsStream);
  }

  /** As it is read: a link is its text, and what is in code style is one word. */
  private static String plain(String line) {
    return linkTexts(SPAN.matcher(line).replaceAll("Code"))
        .replaceFirst("^([-*]|\\d+\\.)\\s+", "")
        .replace("*", "");
  }

  private static String linkTexts(String line) {
    return LINK.matcher(line).replaceAll(link -> Matcher.quoteReplacement(link.group(1)));
  }

  static int words(String sentence) {
    return (int)
        Pattern.compile("\\s+")
            .splitAsStream(sentence.strip())
            .filter(word -> word.codePoints().anyMatch(Character::isLetterOrDigit))
            .count();
  }
}
