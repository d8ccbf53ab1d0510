package io.middleware.engine.worker.docs;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.worker.docs.MarkdownPage.Heading;
import io.middleware.engine.worker.docs.MarkdownPage.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The documentation can be followed, names what exists, and stays readable. */
class DocsTest {
  private static final Pattern DELETION = Pattern.compile("kubectl [^`|\\n]*\\bdelete ([a-z,]+)");
  private static final Set<String> SHARED_KINDS =
      Stream.of(
              "app",
              "operation",
              "backup",
              "backupstore",
              "component",
              "group",
              "plugin",
              "loadtest",
              "integrationtest")
          .flatMap(kind -> Stream.of(kind, kind + "s"))
          .collect(toSet());
  private static final Path ROOT = Path.of("..");
  private static final Path DECISIONS = ROOT.resolve("docs/decisions");
  private static final Path ARCHITECTURE = ROOT.resolve("docs/architecture.md");
  private static final Path TOUR = ROOT.resolve("docs/code-tour.md");
  private static final Path OPERATIONS = ROOT.resolve("docs/operations");
  private static final int MOST_LINES = 120;
  private static final int MOST_WORDS_OF_A_PARAGRAPH = 80;
  private static final int MOST_WORDS_OF_NINE_IN_TEN_SENTENCES = 25;
  private static final Pattern RECORD = Pattern.compile("(\\d{4})-[a-z0-9]+(-[a-z0-9]+)*\\.md");

  /** A row of the list of decisions: number, page, status, subject. */
  private static final Pattern LISTED =
      Pattern.compile("\\| (\\d+) \\| \\[.+]\\((\\d{4}-[^)]+)\\) \\| ([^|]+) \\| ([^|]+) \\|");

  private static final Pattern TYPE_NAME =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*)(?:\\.([A-Za-z]\\w*))?(?:\\(\\))?");

  static List<Path> pages() throws IOException {
    return SourceTree.files(ROOT, ".md");
  }

  static List<Path> records() throws IOException {
    try (var files = Files.list(DECISIONS)) {
      return files.filter(file -> !file.endsWith("README.md")).sorted().toList();
    }
  }

  static Stream<Path> pagesOnCode() throws IOException {
    return Stream.concat(Stream.of(ARCHITECTURE, TOUR), records().stream());
  }

  static List<Path> translations() throws IOException {
    return pages().stream().filter(page -> page.toString().endsWith(".zh.md")).toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void shouldLinkWhatExists(Path file) throws IOException {
    // Given
    var page = MarkdownPage.read(file);
    // When
    var dead = new TreeSet<String>();
    for (var link : page.links()) {
      if (!link.target().matches("[a-z]+:.*") && !exists(page, link.target())) {
        dead.add(link.target());
      }
    }
    // Then
    assertThat(dead).as("dead links of %s", file).isEmpty();
  }

  private static boolean exists(MarkdownPage page, String target) throws IOException {
    var parts = target.split("#", 2);
    var file = parts[0].isEmpty() ? page.file() : page.file().resolveSibling(parts[0]);
    return Files.exists(file)
        && (parts.length == 1 || MarkdownPage.read(file).anchors().contains(parts[1]));
  }

  @ParameterizedTest
  @MethodSource("pagesOnCode")
  void shouldNameClassesThatExist(Path file) throws IOException {
    // Given
    var page = MarkdownPage.read(file);
    var sources = SourceTree.under(ROOT);
    // When
    var unknown =
        page.spans().stream()
            .map(TYPE_NAME::matcher)
            .filter(name -> name.matches())
            .filter(name -> !sources.knows(name.group(1), name.group(2)))
            .map(name -> name.group())
            .collect(toSet());
    // Then
    assertThat(unknown).as("neither types nor values of the code, in %s", file).isEmpty();
    assertThat(page.links())
        .filteredOn(link -> link.target().endsWith(".java"))
        .allSatisfy(link -> assertThat(link.target()).endsWith("/" + name(link) + ".java"));
  }

  /** kubectl takes the first group that has such a kind, and others have these, too. */
  @ParameterizedTest
  @MethodSource("pages")
  void shouldDeleteOnlyByNamesThatNobodyElseHas(Path file) throws IOException {
    var kinds =
        DELETION
            .matcher(Files.readString(file))
            .results()
            .flatMap(deletion -> Stream.of(deletion.group(1).split(",")))
            .filter(SHARED_KINDS::contains)
            .toList();

    assertThat(kinds).as("kinds of others, too, that %s deletes: write mwapp…", file).isEmpty();
  }

  private static String name(Link link) {
    return link.text().replace("`", "");
  }

  @Test
  void shouldTourMethodsThatExist() throws IOException {
    // Given
    var places = MarkdownPage.read(TOUR).text().stream().filter(row -> row.matches("\\| \\d .*"));
    // When
    var missing = new TreeSet<String>();
    for (var place : places.toList()) {
      var cells = place.split("\\|");
      var classes = SourceTree.text(TOUR, cells[2]);
      Pattern.compile("`(\\w+)`")
          .matcher(cells[3])
          .results()
          .map(method -> method.group(1))
          .filter(method -> !classes.contains(" " + method + "("))
          .forEach(method -> missing.add(cells[1].strip() + ": " + method));
    }
    // Then
    assertThat(missing).isEmpty();
  }

  @Test
  void shouldKeepTheArchitectureShort() throws IOException {
    // When
    var page = MarkdownPage.read(ARCHITECTURE);
    // Then
    assertThat(page.text())
        .filteredOn(line -> !PackageListTest.isRow(line))
        .hasSizeLessThanOrEqualTo(MOST_LINES);
    assertThat(page.paragraphs())
        .allSatisfy(
            paragraph ->
                assertThat(MarkdownPage.words(paragraph))
                    .as(paragraph)
                    .isLessThanOrEqualTo(MOST_WORDS_OF_A_PARAGRAPH));
  }

  static Stream<Path> guides() throws IOException {
    return Stream.concat(
        Stream.of("architecture", "code-tour", "concepts", "disaster", "performance", "plugins")
            .map(name -> ROOT.resolve("docs/" + name + ".md")),
        operations().stream());
  }

  static List<Path> operations() throws IOException {
    try (var files = Files.list(OPERATIONS)) {
      return files.filter(file -> !file.toString().endsWith(".zh.md")).sorted().toList();
    }
  }

  @ParameterizedTest
  @MethodSource("guides")
  void shouldKeepSentencesShort(Path file) throws IOException {
    // Given
    var page = MarkdownPage.read(file);
    // When
    var sentences = page.sentences().sorted(Comparator.comparingInt(MarkdownPage::words)).toList();
    // Then
    var mark = (int) Math.ceil(sentences.size() * 0.9) - 1;
    assertThat(MarkdownPage.words(sentences.get(mark)))
        .as(
            "words of nine in ten of the %d sentences; the longest: %s",
            sentences.size(), sentences.stream().skip(mark).collect(joining("\n")))
        .isLessThanOrEqualTo(MOST_WORDS_OF_NINE_IN_TEN_SENTENCES);
  }

  @ParameterizedTest
  @MethodSource("records")
  void shouldGiveEachDecisionItsForm(Path file) throws IOException {
    // Given
    var name = RECORD.matcher(file.getFileName().toString());
    // When
    var page = MarkdownPage.read(file);
    // Then
    assertThat(name.matches()).as("NNNN-kebab-case.md: %s", file).isTrue();
    assertThat(page.text()).hasSizeBetween(15, 30);
    assertThat(page.headings()).extracting(Heading::level).containsExactly(1, 2, 2, 2);
    assertThat(page.headings())
        .extracting(Heading::title)
        .endsWith("Context", "Decision", "Consequence");
    assertThat(page.headings().getFirst().title())
        .startsWith(Integer.parseInt(name.group(1)) + ". ");
  }

  @Test
  void shouldListEachDecisionOnce() throws IOException {
    // Given
    var names = records().stream().map(file -> file.getFileName().toString()).toList();
    // When
    var rows =
        MarkdownPage.read(DECISIONS.resolve("README.md")).text().stream()
            .map(LISTED::matcher)
            .filter(row -> row.matches())
            .toList();
    // Then
    assertThat(rows).extracting(row -> row.group(2)).containsExactlyElementsOf(names);
    assertThat(rows)
        .allSatisfy(
            row ->
                assertThat(row.group(2))
                    .startsWith("%04d-".formatted(Integer.parseInt(row.group(1)))))
        .allSatisfy(
            row -> assertThat(row.group(3)).matches("in force(, extended by .+)?|replaced by .+"))
        .allSatisfy(row -> assertThat(row.group(4)).isNotBlank());
    assertThat(names.stream().map(name -> name.substring(0, 4))).doesNotHaveDuplicates();
    assertThat(targets(ARCHITECTURE)).contains("decisions/README.md");
  }

  @Test
  void shouldIndexEachQuestionOfOperations() throws IOException {
    // Given
    var questions = new TreeSet<String>();
    for (var file : operations()) {
      var page = MarkdownPage.read(file);
      page.anchors().stream()
          .skip(1)
          .map(anchor -> file.getFileName() + "#" + anchor)
          .filter(question -> !question.startsWith("README.md"))
          .forEach(questions::add);
    }
    // Then
    assertThat(targets(OPERATIONS.resolve("README.md"))).containsAll(questions);
  }

  private static Set<String> targets(Path file) throws IOException {
    return MarkdownPage.read(file).links().stream().map(Link::target).collect(toSet());
  }

  /** A translation has the headings, the code and the commands of its original. */
  @Test
  void shouldKeepTranslationsInStep() throws IOException {
    for (var file : translations()) {
      // Given
      var original = Path.of(file.toString().replace(".zh.md", ".md"));
      // When
      var translated = MarkdownPage.read(file);
      var source = MarkdownPage.read(original);
      // Then
      assertThat(translated.headings())
          .as("levels of the headings of %s and %s", file, original)
          .extracting(Heading::level)
          .isEqualTo(source.headings().stream().map(Heading::level).toList());
      assertThat(translated.code()).as("code of %s", file).isEqualTo(source.code());
      assertThat(translated.commands())
          .as("commands in the text of %s", file)
          .containsExactlyInAnyOrderElementsOf(source.commands());
    }
  }
}
