package io.middleware.engine.activities.render;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Where an expression of a check stands, which decides on its variables. */
public enum CheckScope {
  /** About a group. */
  GROUP(true, Subject.PODS),
  /** About an answer of a pod of the group. */
  GROUP_ANSWER(true, Subject.ANSWER),
  /** About the samples of a query for the group. */
  GROUP_SAMPLES(true, Subject.SAMPLES),
  /** About a whole component. */
  COMPONENT(false, Subject.PODS),
  /** About an answer of a pod of the component. */
  COMPONENT_ANSWER(false, Subject.ANSWER),
  /** About the samples of a query for the component. */
  COMPONENT_SAMPLES(false, Subject.SAMPLES);

  private enum Subject {
    PODS,
    ANSWER,
    SAMPLES
  }

  private final Map<String, CelType> variables = new TreeMap<>();
  private final CelEnvironment environment;
  private final boolean ofGroup;

  CheckScope(boolean ofGroup, Subject subject) {
    this.ofGroup = ofGroup;
    List.of("namespace", "app", "component").forEach(it -> variables.put(it, SimpleType.STRING));
    variables.put("runtime", MapType.create(SimpleType.STRING, SimpleType.STRING));
    variables.put("replicas", SimpleType.INT);
    variables.put("nodes", ListType.create(node()));
    if (ofGroup) {
      variables.put("group", SimpleType.STRING);
    }
    switch (subject) {
      case PODS -> {}
      case ANSWER -> {
        variables.put("answer", SimpleType.STRING);
        variables.put("node", node());
      }
      case SAMPLES -> variables.put("result", ListType.create(SimpleType.DOUBLE));
    }
    this.environment = new CelEnvironment(variables, ObjectFunction.DECLARATION);
  }

  /** Of a check after each group, or of one after the whole task. */
  public static CheckScope of(boolean ofGroup) {
    return ofGroup ? GROUP : COMPONENT;
  }

  /** The same with an answer. */
  public CheckScope answered() {
    return ofGroup ? GROUP_ANSWER : COMPONENT_ANSWER;
  }

  /** The same with samples. */
  public CheckScope sampled() {
    return ofGroup ? GROUP_SAMPLES : COMPONENT_SAMPLES;
  }

  /** The names of its variables that are texts, which queries may take as well. */
  public Set<String> texts() {
    return variables.entrySet().stream()
        .filter(variable -> variable.getValue().equals(SimpleType.STRING))
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static MapType node() {
    return MapType.create(SimpleType.STRING, SimpleType.DYN);
  }

  Set<String> variableNames() {
    return variables.keySet();
  }

  CelEnvironment environment() {
    return environment;
  }

  /** Plausible values of all variables, with all keys that they have. */
  Map<String, Object> sample() {
    var values = new TreeMap<String, Object>();
    values.put("nodes", List.of(sampleNode("db-0", "primary"), sampleNode("db-1", "replica")));
    values.put("node", sampleNode("db-1", "replica"));
    values.put("runtime", Map.of("name", "db", "version", "1.0"));
    values.put("replicas", 2L);
    values.put("answer", "0");
    values.put("result", List.of(1.0));
    variables.keySet().forEach(name -> values.putIfAbsent(name, name));
    values.keySet().retainAll(variables.keySet());
    return values;
  }

  private static Map<String, Object> sampleNode(String pod, String role) {
    return node(pod, "g", role, true, "r1");
  }

  /** A pod as expressions see it. */
  public static Map<String, Object> node(
      String pod, String group, String role, boolean ready, String revision) {
    return Map.of("pod", pod, "group", group, "role", role, "ready", ready, "revision", revision);
  }
}
