package io.middleware.engine.activities.render;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Where an expression of a test stands, which decides on its variables. All have {@code namespace}
 * and {@code test}, and the function {@code object}.
 */
public enum TestScope {
  /** A condition of an IntegrationTest: also {@code round}, {@code step} and {@code objects}. */
  INTEGRATION(Map.of("round", SimpleType.INT, "step", SimpleType.STRING, "objects", Types.OBJECTS)),
  /** A condition of a LoadTest: also {@code target} and {@code objects}, those of the workload. */
  LOAD(Map.of("target", ObjectFunction.OBJECT, "objects", Types.OBJECTS)),
  /** About the samples of a query of an IntegrationTest: also {@code result}. */
  INTEGRATION_SAMPLES(
      Map.of(
          "round",
          SimpleType.INT,
          "step",
          SimpleType.STRING,
          "objects",
          Types.OBJECTS,
          "result",
          Types.SAMPLES)),
  /** About the samples of a query of a LoadTest: also {@code result}. */
  LOAD_SAMPLES(
      Map.of("target", ObjectFunction.OBJECT, "objects", Types.OBJECTS, "result", Types.SAMPLES)),
  /** A value that a LoadTest injects: also {@code target}. */
  INJECTION(Map.of("target", ObjectFunction.OBJECT));

  private final Map<String, CelType> variables;
  private final CelEnvironment environment;

  TestScope(Map<String, CelType> own) {
    this.variables = new TreeMap<>(own);
    List.of("namespace", "test").forEach(it -> variables.put(it, SimpleType.STRING));
    this.environment = new CelEnvironment(variables, ObjectFunction.DECLARATION);
  }

  /** The same with samples. */
  public TestScope sampled() {
    return switch (this) {
      case INTEGRATION, INTEGRATION_SAMPLES -> INTEGRATION_SAMPLES;
      case LOAD, LOAD_SAMPLES, INJECTION -> LOAD_SAMPLES;
    };
  }

  /** The names that queries may take: those of texts, and {@code target} for its name. */
  public Set<String> texts() {
    return switch (this) {
      case INTEGRATION, INTEGRATION_SAMPLES -> Set.of("namespace", "test", "step");
      case LOAD, LOAD_SAMPLES, INJECTION -> Set.of("namespace", "test", "target");
    };
  }

  Set<String> variableNames() {
    return variables.keySet();
  }

  CelEnvironment environment() {
    return environment;
  }

  /** Constants of an enum are made before its own constants. */
  private static final class Types {
    static final CelType SAMPLES = ListType.create(SimpleType.DOUBLE);
    static final CelType OBJECTS = ListType.create(ObjectFunction.OBJECT);
  }
}
