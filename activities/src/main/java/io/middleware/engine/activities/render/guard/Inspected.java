package io.middleware.engine.activities.render.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One rendered object under inspection, and the list its violations go to. */
record Inspected(Map<String, Object> tree, Collection<Violation> violations) {
  private static final List<String> CONTAINERS =
      List.of("containers", "initContainers", "ephemeralContainers");

  Cursor root() {
    return Cursor.of(tree);
  }

  Cursor at(String... fields) {
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
  Stream<Cursor> metadataTemplates() {
    var jobs = is(KnownKinds.CRON_JOB) ? Stream.of(at("spec", "jobTemplate")) : Stream.<Cursor>of();
    return Stream.concat(jobs, KnownKinds.podTemplate(kind()).map(this::at).stream());
  }

  /** Every pod spec; in a kind the guard does not know, whatever lists containers is one. */
  Stream<Cursor> podSpecs() {
    if (KnownKinds.contain(kind())) {
      return KnownKinds.podTemplate(kind()).map(template -> at(template).at("spec")).stream();
    }
    return root().everywhere().filter(place -> CONTAINERS.stream().anyMatch(place::has));
  }

  static Stream<Cursor> containers(Cursor podSpec) {
    return CONTAINERS.stream().flatMap(list -> podSpec.at(list).items());
  }

  void refuse(Cursor place, String message) {
    violations.add(
        new Violation(at("kind").text() + "/" + name(), place.path().toString(), message));
  }

  void refuseIfPresent(Cursor place, String message) {
    if (place.exists()) {
      refuse(place, message);
    }
  }

  /** Absent is allowed, too. */
  void allowOnly(Cursor place, Collection<?> allowed, String message) {
    if (place.exists() && !allowed.contains(place.value())) {
      refuse(place, place.value() + " is not allowed: " + message);
    }
  }
}
