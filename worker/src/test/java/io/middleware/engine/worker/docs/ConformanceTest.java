package io.middleware.engine.worker.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The page of what tests prove of the Plugins is what these tests say. */
class ConformanceTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PAGE = ROOT.resolve("docs/reference/conformance.md");
  private static final ObjectMapper YAML = new YAMLMapper();
  private static final Pattern TEXT = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern PROOF =
      Pattern.compile(
          "@Proves\\(\\s*plugin = \"(\\w+)\",\\s*versions = ([^=]+),\\s*what =([^;]+?)\\)\\s*(?:@|class)");
  private static final String HEAD =
      """
      # What is proven

      <!-- generated from @Proves of the tests by ConformanceTest; do not edit -->

      What tests show of each Plugin of this checkout, with real servers of these versions. A Plugin of your own is proven by [an IntegrationTest](../plugins.md#prove-your-upgrade).

      | column | meaning |
      |---|---|
      | on | *processes*: the engine, an API server and Temporal, with the servers as processes on simulated nodes. *containers*: the same on [real nodes](../../dev/README.md#real-nodes) of one machine, in containers. *commands*: only the commands of the Plugin, without the engine |
      | when | *each build*: `mvn verify`. *each run*: also each `dev/test`. *in turn*: every third `dev/test`, and always before a release (`dev/test --long`) |
      """;

  private record Proof(String plugin, List<String> versions, String what, Path test, String when) {
    static Proof of(MatchResult found, Path test, String source) {
      var inTurn = source.contains("@InTurn") ? "in turn" : "each run";
      var when = test.toString().endsWith("E2E.java") ? inTurn : "each build";
      return new Proof(
          found.group(1),
          texts(found.group(2)),
          String.join("", texts(found.group(3))),
          test,
          when);
    }

    private static List<String> texts(String source) {
      return TEXT.matcher(source).results().map(text -> text.group(1)).toList();
    }

    String name() {
      return test.getFileName().toString().replace(".java", "");
    }

    String on() {
      return name().startsWith("RealNodes")
          ? "containers"
          : name().endsWith("E2E") ? "processes" : "commands";
    }

    String row() {
      return "| %s | %s | %s | %s | [`%s`](%s) |\n"
          .formatted(
              what,
              String.join(", ", versions),
              on(),
              when,
              name(),
              PAGE.getParent().relativize(test));
    }
  }

  @Test
  void shouldBeUpToDate() throws IOException {
    // Given
    var page = page();
    if (System.getProperty("regenerate") != null) {
      Files.writeString(PAGE, page);
    }
    // Then
    assertThat(PAGE)
        .as("%s is stale: mvn -pl worker -am verify -Dregenerate", PAGE)
        .content()
        .isEqualTo(page);
  }

  private static String page() throws IOException {
    var proofs = proofs();
    var page = new StringBuilder(HEAD);
    for (var plugin : proofs.stream().map(Proof::plugin).distinct().sorted().toList()) {
      var own = proofs.stream().filter(proof -> proof.plugin().equals(plugin)).toList();
      var offered = offered(plugin);
      assertThat(offered)
          .as("versions that %s offers", plugin)
          .containsAll(versions(own, it -> true));
      page.append("\n## [%1$s](../../plugins/%1$s/README.md)\n\n".formatted(plugin))
          .append("| what | versions | on | when | test |\n|---|---|---|---|---|\n")
          .append(own.stream().map(Proof::row).collect(joining()))
          .append('\n')
          .append(lack("No test runs", offered, versions(own, it -> true)))
          .append(
              lack(
                  "Not with the engine", offered, versions(own, it -> !it.on().equals("commands"))))
          .append(
              lack(
                  "Not in containers", offered, versions(own, it -> it.on().equals("containers"))));
    }
    return page.toString();
  }

  private static String lack(String what, List<String> offered, List<String> proven) {
    var lacking = offered.stream().filter(version -> !proven.contains(version)).toList();
    return "- %s: %s.\n".formatted(what, lacking.isEmpty() ? "none" : String.join(", ", lacking));
  }

  private static List<String> versions(List<Proof> proofs, Predicate<Proof> which) {
    return proofs.stream().filter(which).flatMap(it -> it.versions().stream()).distinct().toList();
  }

  /** Of the runtimes of the Plugin. */
  private static List<String> offered(String plugin) throws IOException {
    var file = ROOT.resolve("plugins/%s/plugin.yaml".formatted(plugin)).toFile();
    return elements(YAML.readTree(file).at("/spec/runtimes"))
        .flatMap(
            runtime ->
                elements(runtime.path("versions"))
                    .map(it -> runtime.path("name").asText() + " " + it.path("version").asText()))
        .toList();
  }

  private static Stream<JsonNode> elements(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }

  private static List<Proof> proofs() throws IOException {
    var proofs = new ArrayList<Proof>();
    for (var test : SourceTree.files(ROOT, ".java")) {
      if (test.toString().contains("/src/test/") && !test.endsWith("ConformanceTest.java")) {
        var source = Files.readString(test);
        var found = PROOF.matcher(source).results().map(it -> Proof.of(it, test, source)).toList();
        assertThat(found)
            .as("one @Proves of %s", test)
            .hasSize(source.contains("@Proves(") ? 1 : 0);
        proofs.addAll(found);
      }
    }
    proofs.sort(Comparator.comparing(Proof::on).reversed().thenComparing(Proof::name));
    return proofs;
  }
}
