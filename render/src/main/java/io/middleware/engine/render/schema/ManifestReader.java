package io.middleware.engine.render.schema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.ConstructNode;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;
import org.snakeyaml.engine.v2.resolver.ScalarResolver;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** Reads the objects of a file like kubectl: plain {@code yes} and {@code off} are booleans. */
public final class ManifestReader {
  private ManifestReader() {}

  /**
   * @return the object of each document that is not empty
   * @throws IllegalArgumentException when the text is not YAML, with line and column, or a document
   *     is not a mapping
   */
  public static List<Map<String, Object>> read(String yaml) {
    var settings = LoadSettings.builder().setSchema(new KubectlSchema()).build();
    List<Map<String, Object>> objects = new ArrayList<>();
    try {
      for (var document : new Load(settings).loadAllFromString(yaml)) {
        if (document != null) {
          objects.add(object(document));
        }
      }
    } catch (MarkedYamlEngineException e) {
      var place =
          e.getProblemMark()
              .map(
                  mark ->
                      "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1))
              .orElse("");
      throw new IllegalArgumentException(place + e.getProblem(), e);
    } catch (YamlEngineException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return objects;
  }

  private static Map<String, Object> object(Object document) {
    if (!(document instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("a document is not an object: " + document);
    }
    Map<String, Object> object = new LinkedHashMap<>();
    map.forEach((key, value) -> object.put(String.valueOf(key), value));
    return object;
  }

  /** YAML 1.2 with the booleans of YAML 1.1. */
  private static final class KubectlSchema extends CoreSchema {
    private static final Pattern WORDS =
        Pattern.compile("(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)");
    private static final Set<String> TRUE = Set.of("y", "yes", "on", "true");

    @Override
    public ScalarResolver getScalarResolver() {
      var resolver = new CoreScalarResolver(true);
      resolver.addImplicitResolver(Tag.BOOL, WORDS, "yYnNoO");
      return resolver;
    }

    @Override
    public Map<Tag, ConstructNode> getSchemaTagConstructors() {
      var constructors = new HashMap<>(super.getSchemaTagConstructors());
      constructors.put(Tag.BOOL, KubectlSchema::truth);
      return constructors;
    }

    private static Object truth(Node node) {
      return TRUE.contains(((ScalarNode) node).getValue().toLowerCase(Locale.ROOT));
    }
  }
}
