package io.middleware.engine.render.expression;

import static java.util.stream.Collectors.toUnmodifiableSet;

import com.google.common.base.Suppliers;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Where an expression stands, which decides on its variables. All have {@code namespace}, and the
 * function {@code object}.
 */
public final class ConditionScope {
  /** The variable that has the pods. */
  public static final String NODES = "nodes";

  private static final String TARGET = "target";
  private static final CelType NODE = ObjectFunction.OBJECT;
  private static final CelType OBJECTS = ListType.create(ObjectFunction.OBJECT);

  /** A check of a group. */
  public static final ConditionScope GROUP = ofCheck(Map.of("group", SimpleType.STRING));

  /** A check before a pod of a group, which is {@code node}. */
  public static final ConditionScope POD =
      ofCheck(Map.of("group", SimpleType.STRING, "node", NODE));

  /** A check of a whole component. */
  public static final ConditionScope COMPONENT = ofCheck(Map.of());

  /** A condition of an IntegrationTest. */
  public static final ConditionScope INTEGRATION_TEST =
      ofTest(
          Map.of("round", SimpleType.INT, "step", SimpleType.STRING, "objects", OBJECTS),
          SimpleType.BOOL);

  /** A condition of a LoadTest: {@code objects} are those of the workload. */
  public static final ConditionScope LOAD_TEST =
      ofTest(Map.of(TARGET, ObjectFunction.OBJECT, "objects", OBJECTS), SimpleType.BOOL);

  /** A value that a LoadTest injects, which is a text. */
  public static final ConditionScope INJECTION =
      ofTest(Map.of(TARGET, ObjectFunction.OBJECT), SimpleType.STRING);

  private final Map<String, CelType> variables;
  private final boolean ofTest;
  private final CelType result;
  private final Supplier<CelEnvironment> environment;
  private final Supplier<ConditionScope> answered;
  private final Supplier<ConditionScope> sampled;

  private ConditionScope(Map<String, CelType> variables, boolean ofTest, CelType result) {
    this.variables = variables;
    this.ofTest = ofTest;
    this.result = result;
    this.environment =
        Suppliers.memoize(() -> new CelEnvironment(variables, ObjectFunction.DECLARATION));
    this.answered =
        Suppliers.memoize(() -> with(Map.of("answer", SimpleType.STRING, "node", NODE)));
    this.sampled =
        Suppliers.memoize(() -> with(Map.of("result", ListType.create(SimpleType.DOUBLE))));
  }

  private static ConditionScope ofCheck(Map<String, CelType> own) {
    var variables = new TreeMap<>(own);
    List.of("namespace", "app", "component").forEach(it -> variables.put(it, SimpleType.STRING));
    variables.put("runtime", CelEnvironment.TEXTS);
    variables.put("replicas", SimpleType.INT);
    variables.put(NODES, ListType.create(NODE));
    return new ConditionScope(variables, false, SimpleType.BOOL);
  }

  private static ConditionScope ofTest(Map<String, CelType> own, CelType result) {
    var variables = new TreeMap<>(own);
    List.of("namespace", "test").forEach(it -> variables.put(it, SimpleType.STRING));
    return new ConditionScope(variables, true, result);
  }

  private ConditionScope with(Map<String, CelType> more) {
    var all = new TreeMap<>(variables);
    all.putAll(more);
    return new ConditionScope(all, ofTest, result);
  }

  /** Of a check after each group, or of one after the whole task. */
  public static ConditionScope ofCheck(boolean ofGroup) {
    return ofGroup ? GROUP : COMPONENT;
  }

  /** The same about the answer of a pod. */
  public ConditionScope answered() {
    return answered.get();
  }

  /** The same about the samples of a query. */
  public ConditionScope sampled() {
    return sampled.get();
  }

  /** The names that queries may take: those of texts, and {@code target} for its name. */
  public Set<String> texts() {
    return variables.entrySet().stream()
        .filter(it -> it.getValue().equals(SimpleType.STRING) || it.getKey().equals(TARGET))
        .map(Map.Entry::getKey)
        .collect(toUnmodifiableSet());
  }

  Set<String> variableNames() {
    return variables.keySet();
  }

  CelEnvironment environment() {
    return environment.get();
  }

  /** What an expression gives. */
  CelType result() {
    return result;
  }

  /** Whether people are shown what an expression has read. */
  boolean showsWhatIsRead() {
    return ofTest;
  }

  /** Plausible values of all variables, with all keys that they have; empty: only users know. */
  Optional<Map<String, Object>> sample() {
    if (ofTest) {
      return Optional.empty();
    }
    var values = new TreeMap<String, Object>();
    values.put(NODES, List.of(sampleNode("db-0", "primary"), sampleNode("db-1", "replica")));
    values.put("node", sampleNode("db-1", "replica"));
    values.put("runtime", Map.of("name", "db", "version", "1.0"));
    values.put("replicas", 2L);
    values.put("answer", "0");
    values.put("result", List.of(1.0));
    variables.keySet().forEach(name -> values.putIfAbsent(name, name));
    values.keySet().retainAll(variables.keySet());
    return Optional.of(values);
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
