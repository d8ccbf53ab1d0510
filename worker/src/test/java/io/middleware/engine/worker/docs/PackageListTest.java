package io.middleware.engine.worker.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The architecture lists each package with the sentence that its sources say of it. */
class PackageListTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/architecture.md");
  private static final String TITLE = "| package | what is in it |";
  private static final String RULE = "|---|---|";
  private static final String HEAD = TITLE + "\n" + RULE + "\n";
  private static final String BASE = "/src/main/java/io/middleware/engine/";

  /** Those that a change goes through, one after the other, then what they stand on. */
  private static final List<String> MODULES =
      List.of(
          "watcher",
          "workflows",
          "worker",
          "activities",
          "planning",
          "cluster",
          "render",
          "api",
          "process",
          "log",
          "agent",
          "simulator");

  private static final Pattern LIST = Pattern.compile(Pattern.quote(HEAD) + "(\\|[^\\n]*\\n)*");
  private static final Pattern SENTENCE = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");

  @Test
  void shouldListEachPackage() throws IOException {
    // Given
    var page = Files.readString(PAGE);
    // When
    var listed = LIST.matcher(page).replaceFirst(HEAD + rows().replace("$", "\\$"));
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, listed);
    }
    // Then
    assertThat(page).contains(HEAD);
    assertThat(PAGE)
        .as("%s is stale: mvn -pl worker -am verify -Dregenerate", PAGE)
        .content()
        .isEqualTo(listed);
  }

  /** Whether a line of the page is one of a package: these are looked up, and not read. */
  static boolean isRow(String line) {
    return line.matches("\\| `[a-z.]+` \\| [^|]+ \\|") || List.of(TITLE, RULE).contains(line);
  }

  private static String rows() throws IOException {
    var files =
        SourceTree.files(ROOT, "package-info.java").stream()
            .map(ROOT::relativize)
            .filter(file -> file.toString().contains(BASE))
            .sorted(
                Comparator.<Path>comparingInt(file -> MODULES.indexOf(file.getName(0).toString()))
                    .thenComparing(PackageListTest::name))
            .toList();
    assertThat(files)
        .extracting(file -> file.getName(0).toString())
        .isSubsetOf(MODULES)
        .containsAll(MODULES);
    var rows = new StringBuilder();
    for (var file : files) {
      rows.append("| `%s` | %s |\n".formatted(name(file), sentence(file)));
    }
    return rows.toString();
  }

  private static String name(Path file) {
    var folder = file.getParent().toString();
    return folder.substring(folder.indexOf(BASE) + BASE.length()).replace('/', '.');
  }

  private static String sentence(Path file) throws IOException {
    return SENTENCE
        .matcher(Files.readString(ROOT.resolve(file)))
        .results()
        .limit(1)
        .map(doc -> doc.group(1).replaceAll("\\s*\\n \\*? ?", " "))
        .map(doc -> doc.replaceAll("\\{@(?:code|link)\\s+([^}]+)}", "`$1`").strip())
        .collect(joining());
  }
}
