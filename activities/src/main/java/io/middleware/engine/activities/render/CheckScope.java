package io.middleware.engine.activities.render;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Where an expression of a check stands, which decides on its variables. */
public enum CheckScope {
  /** About a group. */
  GROUP(true, false),
  /** About an answer of a pod of the group. */
  GROUP_ANSWER(true, true),
  /** About a whole component. */
  COMPONENT(false, false),
  /** About an answer of a pod of the component. */
  COMPONENT_ANSWER(false, true);

  private final Map<String, CelType> variables = new TreeMap<>();
  private final CelEnvironment environment;

  CheckScope(boolean ofGroup, boolean ofAnswer) {
    List.of("namespace", "app", "component").forEach(it -> variables.put(it, SimpleType.STRING));
    variables.put("runtime", MapType.create(SimpleType.STRING, SimpleType.STRING));
    variables.put("replicas", SimpleType.INT);
    variables.put("nodes", ListType.create(node()));
    if (ofGroup) {
      variables.put("group", SimpleType.STRING);
    }
    if (ofAnswer) {
      variables.put("answer", SimpleType.STRING);
      variables.put("node", node());
    }
    this.environment = new CelEnvironment(variables);
  }

  /** Of a check after each group, or of one after the whole task. */
  public static CheckScope of(boolean ofGroup) {
    return ofGroup ? GROUP : COMPONENT;
  }

  /** The same with an answer. */
  public CheckScope answered() {
    return this == GROUP || this == GROUP_ANSWER ? GROUP_ANSWER : COMPONENT_ANSWER;
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
