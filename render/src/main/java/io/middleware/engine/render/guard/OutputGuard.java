package io.middleware.engine.render.guard;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Inspects all objects of one group after rendering and before any write. Either every object
 * passes, with the engine's own fields forced into a copy, or every violation is named.
 */
public final class OutputGuard {
  static final int MAX_OBJECTS = 50;
  static final int MAX_BYTES = 1 << 20;

  private final ObjectMapper json = new ObjectMapper();

  public GuardVerdict inspect(List<Map<String, Object>> rendered, GuardFacts facts) {
    Collection<GuardViolation> violations = new ArrayList<>();
    var objects =
        rendered.stream()
            .map(tree -> new InspectedObject(tree, violations))
            .map(facts.placement()::into)
            .toList();
    var rules = rules(objects, facts);
    objects.forEach(object -> rules.forEach(rule -> rule.inspect(object)));
    refuseDuplicates(objects);
    refuseSecondStatefulSet(objects);
    refuseExcess(rendered, violations);
    if (!violations.isEmpty()) {
      return new GuardVerdict.RefusedOutput(List.copyOf(violations));
    }
    return new GuardVerdict.PassedOutput(
        new RenderedObjects(objects.stream().map(new ForcedFields(facts)::in).toList()));
  }

  private static List<GuardRule> rules(List<InspectedObject> objects, GuardFacts facts) {
    var declared =
        objects.stream().filter(o -> o.is(KnownKinds.SERVICE_ACCOUNT)).map(InspectedObject::name);
    var serviceAccounts =
        Stream.concat(declared, Stream.of(facts.serviceAccountName()))
            .filter(name -> !name.isEmpty())
            .collect(toSet());
    return List.of(
        new KindRule(facts.grants().extraKinds()),
        new MetadataRule(facts.namespace()),
        new ReservedNamesRule(facts.labels()),
        new ForeignNamespaceRule(facts.namespace()),
        new PodRule(serviceAccounts),
        new PodSecurityRule(facts.grants().restricted()),
        new ExposureRule(),
        new VolumeClaimRule());
  }

  private static void refuseDuplicates(List<InspectedObject> objects) {
    Set<List<String>> seen = new HashSet<>();
    for (var object : objects) {
      if (!seen.add(List.of(object.kind().group(), object.kind().kind(), object.name()))) {
        object.refuse(object.root(), "is rendered twice; every object needs its own name");
      }
    }
  }

  /** A group's pods are replaced in one order, so a group may have only one StatefulSet. */
  private static void refuseSecondStatefulSet(List<InspectedObject> objects) {
    objects.stream()
        .filter(object -> object.is(KnownKinds.STATEFUL_SET))
        .skip(1)
        .forEach(
            object ->
                object.refuse(
                    object.root(),
                    "the group already has a StatefulSet and may only have one: render the other from a"
                        + " component type of its own"));
  }

  private void refuseExcess(
      List<Map<String, Object>> rendered, Collection<GuardViolation> violations) {
    if (rendered.size() > MAX_OBJECTS) {
      violations.add(
          new GuardViolation("group", "$", rendered.size() + " objects; at most 50 are allowed"));
    }
    var bytes = rendered.stream().mapToLong(this::size).sum();
    if (bytes > MAX_BYTES) {
      violations.add(
          new GuardViolation("group", "$", bytes + " bytes of objects; at most 1 MiB is allowed"));
    }
  }

  private long size(Map<String, Object> tree) {
    try {
      return json.writeValueAsBytes(tree).length;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("not a plain tree: " + e.getMessage(), e);
    }
  }
}
