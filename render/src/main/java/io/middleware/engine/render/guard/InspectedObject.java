package io.middleware.engine.render.guard;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A rendered object under inspection, and the list that collects its violations. */
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

  /** The templates whose metadata is copied to pods and jobs. */
  Stream<TreeCursor> metadataTemplates() {
    var jobs =
        is(KnownKinds.CRON_JOB) ? Stream.of(at("spec", "jobTemplate")) : Stream.<TreeCursor>of();
    return Stream.concat(jobs, KnownKinds.podTemplate(kind()).map(this::at).stream());
  }

  /** Every pod spec; in an unknown kind, every node with a list of containers counts as one. */
  Stream<TreeCursor> podSpecs() {
    if (KnownKinds.contain(kind())) {
      return KnownKinds.podTemplate(kind()).map(template -> at(template).at("spec")).stream();
    }
    return root().everywhere().filter(cursor -> CONTAINERS.stream().anyMatch(cursor::has));
  }

  /** The templates of a StatefulSet's volume claims. */
  Stream<TreeCursor> claimTemplates() {
    return at("spec", "volumeClaimTemplates").items();
  }

  /** The templates of volume claims that end with their pod. */
  Stream<TreeCursor> ephemeralClaims() {
    return podSpecs()
        .flatMap(pod -> pod.at("volumes").items())
        .map(volume -> volume.at("ephemeral", "volumeClaimTemplate"))
        .filter(TreeCursor::exists);
  }

  /** The specs of all volume claims that come of it. */
  Stream<TreeCursor> claimSpecs() {
    var own = is(KnownKinds.CLAIM) ? Stream.of(root()) : Stream.<TreeCursor>of();
    return Stream.concat(own, Stream.concat(claimTemplates(), ephemeralClaims()))
        .map(claim -> claim.at("spec"));
  }

  static Stream<TreeCursor> containers(TreeCursor podSpec) {
    return CONTAINERS.stream().flatMap(list -> podSpec.at(list).items());
  }

  void refuse(TreeCursor cursor, String message) {
    violations.add(
        new GuardViolation(at("kind").text() + "/" + name(), cursor.path().toString(), message));
  }

  void refuseIfPresent(TreeCursor cursor, String message) {
    if (cursor.exists()) {
      refuse(cursor, message);
    }
  }

  /** Refuses any value that is not in the list; an absent field is allowed. */
  void allowOnly(TreeCursor cursor, Collection<?> allowed, String message) {
    if (cursor.exists() && !allowed.contains(cursor.value())) {
      refuse(cursor, cursor.value() + " is not allowed: " + message);
    }
  }
}
