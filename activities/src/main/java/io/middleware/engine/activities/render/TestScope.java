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
  /** A value that a LoadTest injects: also {@code target}. */
  INJECTION(Map.of("target", ObjectFunction.OBJECT));

  private final Map<String, CelType> variables;
  private final CelEnvironment environment;

  TestScope(Map<String, CelType> own) {
    this.variables = new TreeMap<>(own);
    List.of("namespace", "test").forEach(it -> variables.put(it, SimpleType.STRING));
    this.environment = new CelEnvironment(variables, ObjectFunction.DECLARATION);
  }

  Set<String> variableNames() {
    return variables.keySet();
  }

  CelEnvironment environment() {
    return environment;
  }

  /** Constants of an enum are made before its own constants. */
  private static final class Types {
    static final CelType OBJECTS = ListType.create(ObjectFunction.OBJECT);
  }
}
