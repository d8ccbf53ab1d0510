package io.middleware.engine.render.guard;

import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Labels and annotations by which the engine knows its objects are its own: by one of them it would
 * count, replace or delete what belongs to another App, or to a test.
 */
record ReservedNamesRule(OwnerLabels labels) implements GuardRule {
  private static final Set<String> RESERVED = Set.of("middleware.io", "test.middleware.io");

  @Override
  public void inspect(InspectedObject object) {
    var owners =
        Stream.concat(
            Stream.of(object.root()),
            Stream.concat(object.metadataTemplates(), object.claimTemplates()));
    owners
        .flatMap(owner -> reserved(owner, name -> !labels.all().containsKey(name)))
        .forEach(name -> object.refuse(name, "only the engine sets it; leave it out"));
    // nothing is forced into these: they end with their pod, and are no data of the App
    object
        .ephemeralClaims()
        .flatMap(claim -> reserved(claim, name -> true))
        .forEach(
            name ->
                object.refuse(
                    name, "a claim that ends with its pod may not have it; leave it out"));
  }

  private static Stream<TreeCursor> reserved(TreeCursor owner, Predicate<String> others) {
    return Stream.of("labels", "annotations")
        .map(names -> owner.at("metadata", names))
        .filter(names -> names.value() instanceof Map)
        .flatMap(
            names ->
                ((Map<?, ?>) names.value())
                    .keySet().stream()
                        .map(String::valueOf)
                        .filter(others.and(ReservedNamesRule::isReserved))
                        .map(names::at));
  }

  private static boolean isReserved(String name) {
    var slash = name.indexOf('/');
    return slash > 0 && RESERVED.contains(name.substring(0, slash));
  }
}
