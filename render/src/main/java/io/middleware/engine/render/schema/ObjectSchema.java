package io.middleware.engine.render.schema;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/**
 * The schema of a CustomResourceDefinition of the engine. Checks a new object with the order and
 * messages of the API server; rules on edits are skipped.
 */
public final class ObjectSchema {
  private final Map<?, ?> root;
  private final SchemaRules rules = new SchemaRules();

  private ObjectSchema(Map<?, ?> root) {
    this.root = root;
  }

  /** The checked object, with defaults if there are no problems. */
  public record Checked(Map<String, Object> object, List<String> problems) {
    public Checked {
      problems = List.copyOf(problems);
    }
  }

  /**
   * @param plural for example {@code plugins}, or {@code loadtests.test} of the group of tests
   */
  public static ObjectSchema of(String plural) {
    var crd = ManifestReader.read(definition(plural)).getFirst();
    var versions = (List<?>) ((Map<?, ?>) crd.get("spec")).get("versions");
    var schema = (Map<?, ?>) ((Map<?, ?>) versions.getFirst()).get("schema");
    return new ObjectSchema((Map<?, ?>) schema.get("openAPIV3Schema"));
  }

  /** Checks a new object without changing it. */
  public Checked check(Map<String, Object> manifest) {
    var check = new SchemaCheck();
    var completed = check.object(root, manifest);
    var problems = check.problems().isEmpty() ? rules.problems(check.ruled()) : check.problems();
    return new Checked(completed, problems);
  }

  private static String definition(String plural) {
    var name = "/crds/" + plural + ".middleware.io.yaml";
    try (var file = ObjectSchema.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalArgumentException("there is no kind " + plural);
      }
      return new String(file.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
