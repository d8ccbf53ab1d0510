package io.middleware.engine.planning.validation;

import io.middleware.engine.api.GroupTemplate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Checks the labels and annotations that an App gives its pods: some have a meaning for others. */
final class PodRules {
  private static final String ENGINE = "middleware.io";
  private static final Set<String> OF_CONTROLLERS =
      Set.of("controller-revision-hash", "pod-template-hash");
  private static final Set<String> DOMAINS_OF_CONTROLLERS =
      Set.of("statefulset.kubernetes.io", "apps.kubernetes.io");

  private PodRules() {}

  /**
   * One sentence for each that is taken.
   *
   * @param field of the group
   */
  static List<String> problems(String field, GroupTemplate group) {
    return Stream.concat(
            problems(field + ".podLabels", group.podLabels()),
            problems(field + ".podAnnotations", group.podAnnotations()))
        .toList();
  }

  private static Stream<String> problems(String field, Map<String, String> names) {
    return Stream.ofNullable(names)
        .flatMap(it -> new TreeMap<>(it).keySet().stream())
        .filter(name -> isOfEngine(domain(name)) || isOfControllers(name))
        .map(
            name ->
                "%s: only %s sets %s: leave it out"
                    .formatted(
                        field, isOfEngine(domain(name)) ? "the engine" : "Kubernetes", name));
  }

  private static String domain(String name) {
    return name.substring(0, Math.max(0, name.indexOf('/')));
  }

  private static boolean isOfEngine(String domain) {
    return domain.equals(ENGINE) || domain.endsWith("." + ENGINE);
  }

  private static boolean isOfControllers(String name) {
    return OF_CONTROLLERS.contains(name) || DOMAINS_OF_CONTROLLERS.contains(domain(name));
  }
}
