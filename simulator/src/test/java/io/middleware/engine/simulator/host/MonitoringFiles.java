package io.middleware.engine.simulator.host;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The alerts and the dashboard of a Plugin of this checkout. */
record MonitoringFiles(String plugin, Object rules, Object dashboard) {
  private static final Pattern METRIC = Pattern.compile("\\b(?:redis|etcd)_\\w+");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)=~?\"([^\"]*)\"");
  private static final Pattern SHOWN = Pattern.compile("\\{\\{ *(?:\\$labels\\.)?([a-z]\\w*) *}}");

  /** Those that a PodMonitor gives. */
  private static final Set<String> OF_TARGETS =
      Set.of("namespace", "pod", "plugin", "app", "component", "group");

  static MonitoringFiles of(String plugin) throws IOException {
    return new MonitoringFiles(plugin, read(plugin, "rules.yaml"), read(plugin, "dashboard.json"));
  }

  private static Object read(String plugin, String file) throws IOException {
    return Serialization.unmarshal(Files.readString(path(plugin, file)), Map.class);
  }

  private static Path path(String plugin, String file) {
    return Path.of("../plugins", plugin, "monitoring", file);
  }

  /** Whether all that is asked for is among these lines of metrics. */
  void assertAskForWhatIsIn(String scraped) {
    var asked =
        queries().flatMap(query -> found(METRIC, query)).collect(toCollection(TreeSet::new));
    assertThat(asked)
        .hasSizeGreaterThan(10)
        .allSatisfy(metric -> assertThat(scraped).containsPattern("(?m)^" + metric + "[{ ]"));
    for (var query : queries().toList()) {
      assertThat(query).as("of this Plugin alone").contains("plugin=\"" + plugin + "\"");
      MATCHER
          .matcher(query)
          .results()
          .filter(matcher -> !OF_TARGETS.contains(matcher.group(1)))
          .flatMap(
              matcher ->
                  Stream.of(matcher.group(2).split("\\|"))
                      .map(value -> "%s=\"%s\"".formatted(matcher.group(1), value)))
          .forEach(label -> assertThat(scraped).as(query).contains(label));
    }
    texts()
        .flatMap(text -> found(SHOWN, text))
        .filter(label -> !OF_TARGETS.contains(label))
        .forEach(label -> assertThat(scraped).contains(label + "=\""));
  }

  /** Whether a page says for each alert what to do; the anchor of a heading is in lower case. */
  void assertHaveARunbook() throws IOException {
    var headings =
        Files.readAllLines(path(plugin, "README.md")).stream()
            .filter(line -> line.startsWith("## "))
            .map(line -> line.substring(3))
            .toList();
    var alerts = values(rules, "alert").toList();
    assertThat(alerts).containsExactlyElementsOf(headings);
    assertThat(values(rules, "runbook_url"))
        .containsExactlyElementsOf(
            alerts.stream()
                .map(alert -> alert.toLowerCase(Locale.ROOT))
                .map(anchor -> "plugins/%s/monitoring/README.md#%s".formatted(plugin, anchor))
                .toList());
  }

  private Stream<String> queries() {
    return Stream.concat(values(rules, "expr"), values(dashboard, "expr"));
  }

  private Stream<String> texts() {
    return Stream.concat(values(rules, "summary"), values(dashboard, "legendFormat"));
  }

  private static Stream<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map(match -> match.group(match.groupCount()));
  }

  /** The texts of all fields of this name. */
  private static Stream<String> values(Object node, String field) {
    if (node instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .flatMap(
              entry ->
                  entry.getKey().equals(field) && entry.getValue() instanceof String text
                      ? Stream.of(text)
                      : values(entry.getValue(), field));
    }
    return node instanceof List<?> list
        ? list.stream().flatMap(one -> values(one, field))
        : Stream.of();
  }
}
