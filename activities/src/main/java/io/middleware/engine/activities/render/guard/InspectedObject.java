package io.middleware.engine.activities.render.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One rendered object under inspection, and the list its violations go to. */
record InspectedObject(Map<String, Object> tree, Collection<GuardViolation> violations) {
  private static final List<String> CONTAINERS =
      List.of("containers", "initContainers", "ephemeralContainers");

  TreeCursor root() {
    return TreeCursor.of(tree);
  }

  TreeCursor at(String... fields) {
    return root().at(fields);
  }

  ObjectKind kind() {
    return new ObjectKind(at("apiVersion").text(), at("kind").text());
  }

  boolean is(ObjectKind kind) {
    return kind().equals(kind);
  }

  String name() {
    return at("metadata", "name").text();
  }

  /** What has metadata of its own that is copied onto pods and jobs. */
  Stream<TreeCursor> metadataTemplates() {
    var jobs =
        is(KnownKinds.CRON_JOB) ? Stream.of(at("spec", "jobTemplate")) : Stream.<TreeCursor>of();
    return Stream.concat(jobs, KnownKinds.podTemplate(kind()).map(this::at).stream());
  }

  /** Every pod spec; in a kind the guard does not know, whatever lists containers is one. */
  Stream<TreeCursor> podSpecs() {
    if (KnownKinds.contain(kind())) {
      return KnownKinds.podTemplate(kind()).map(template -> at(template).at("spec")).stream();
    }
    return root().everywhere().filter(place -> CONTAINERS.stream().anyMatch(place::has));
  }

  static Stream<TreeCursor> containers(TreeCursor podSpec) {
    return CONTAINERS.stream().flatMap(list -> podSpec.at(list).items());
  }

  void refuse(TreeCursor place, String message) {
    violations.add(
        new GuardViolation(at("kind").text() + "/" + name(), place.path().toString(), message));
  }

  void refuseIfPresent(TreeCursor place, String message) {
    if (place.exists()) {
      refuse(place, message);
    }
  }

  /** Absent is allowed, too. */
  void allowOnly(TreeCursor place, Collection<?> allowed, String message) {
    if (place.exists() && !allowed.contains(place.value())) {
      refuse(place, place.value() + " is not allowed: " + message);
    }
  }
}
