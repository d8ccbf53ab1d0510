package io.middleware.engine.render.guard;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A template may set names, labels and annotations; the engine sets owner and namespace. */
record MetadataRule(String namespace) implements GuardRule {
  private static final int MAX_NAME = 253;
  private static final Pattern NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Set<String> FREE = Set.of("name", "labels", "annotations", "namespace");

  @Override
  public void inspect(InspectedObject object) {
    var name = object.at("metadata", "name");
    if (object.name().length() > MAX_NAME || !NAME.matcher(object.name()).matches()) {
      object.refuse(
          name,
          "a name is required: lower case letters, digits, '-' and '.', at most 253 characters");
    }
    object.refuseIfPresent(object.at("status"), "a template may not set the status");
    metadata(object, object.at("metadata"));
    object.metadataTemplates().forEach(template -> metadata(object, template.at("metadata")));
    Stream.concat(object.claimTemplates(), object.ephemeralClaims())
        .forEach(volumeClaim -> metadata(object, volumeClaim.at("metadata")));
  }

  private void metadata(InspectedObject object, TreeCursor metadata) {
    metadata
        .fields()
        .filter(field -> FREE.stream().noneMatch(free -> metadata.at(free).equals(field)))
        .forEach(
            field -> object.refuse(field, "a template may only set name, labels and annotations"));
    object.allowOnly(
        metadata.at("namespace"), List.of(namespace), "objects must be in namespace " + namespace);
    requireStrings(object, metadata.at("labels"));
    requireStrings(object, metadata.at("annotations"));
  }

  private static void requireStrings(InspectedObject object, TreeCursor map) {
    if (map.exists() && !(map.value() instanceof Map)) {
      object.refuse(map, "must be a mapping of strings");
    }
    map.fields()
        .filter(entry -> !(entry.value() instanceof String))
        .forEach(entry -> object.refuse(entry, "must be a string; quote it"));
  }
}
