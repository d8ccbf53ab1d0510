package io.middleware.engine.e2e.chart;

import static java.util.stream.Collectors.toCollection;

import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Rights as lines such as {@code "secrets middleware-agent-tls [get]"}; no name means all. */
final class ListedRights {
  private static final String NOBODY = "system:serviceaccount:default:nobody";
  private static final Pattern LISTED = Pattern.compile("(?m)^(\\S+) +\\[] +\\[(\\S*)] +\\[(.*)]$");
  private static final Pattern DOCUMENTED =
      Pattern.compile("(?m)^\\| (.+?) \\| `(.+)` \\| (.*?) \\| (.+) \\|$");

  private ListedRights() {}

  /** What the API server lists for this user, without what it lists for everybody. */
  static Set<String> of(String user, String namespace) {
    var rights = listed(user, namespace);
    rights.removeAll(listed(NOBODY, namespace));
    return rights;
  }

  private static Set<String> listed(String user, String namespace) {
    var list = List.of("kubectl", "auth", "can-i", "--list", "-n", namespace, "--as", user);
    return LISTED
        .matcher(Engine.run(list))
        .results()
        .map(right -> line(right.group(1), right.group(2), right.group(3).split(" ")))
        .collect(toCollection(TreeSet::new));
  }

  /** What this section of the reference lists for these places. */
  static Set<String> documented(String section, String... places) {
    var page = Yaml.read("docs/reference/rights.md").text();
    var table = page.split("\n## " + section + "\n")[1].split("\n## ")[0];
    return DOCUMENTED
        .matcher(table)
        .results()
        .filter(row -> List.of(places).contains(row.group(1)))
        .flatMap(ListedRights::lines)
        .collect(toCollection(TreeSet::new));
  }

  private static Stream<String> lines(MatchResult row) {
    return Stream.of(row.group(3).replace("`", "").split(", "))
        .map(name -> line(row.group(2), name, row.group(4).split(", ")));
  }

  private static String line(String resource, String name, String... verbs) {
    return "%s %s %s".formatted(resource, name, new TreeSet<>(List.of(verbs)));
  }
}
