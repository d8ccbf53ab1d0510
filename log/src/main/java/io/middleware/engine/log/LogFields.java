package io.middleware.engine.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.slf4j.event.KeyValuePair;

/**
 * The fields of a log line under the engine's names. They come from Temporal ({@code WorkflowId}),
 * the operator SDK ({@code resource.name}) and the engine's own code, which takes precedence. App,
 * generation, task and group are also read from the workflow id. A process that belongs to one pod
 * names it in the properties of its {@code logback.xml}.
 */
final class LogFields {
  private static final Pattern WORKFLOW_ID =
      Pattern.compile(
          "app/(?<namespace>[^/]+)/(?<app>[^/]+)(?:/(?<generation>\\d{1,18})(?:/(?<task>[^/]+)(?:/(?<group>[^/]+))?)?)?.*");
  private static final String[] PARTS = {"namespace", "app", "generation", "task", "group"};

  /** Those of the whole process, as its {@code logback.xml} sets them. */
  private static final String[] OF_PROCESS = {"namespace", "pod"};

  private static final String[] NUMBERS = {"generation", "attempt"};

  private final Map<String, Object> fields = new TreeMap<>();

  private LogFields() {}

  static Map<String, Object> of(ILoggingEvent event) {
    var collected = new LogFields();
    collected.process(event.getLoggerContextVO().getPropertyMap());
    event.getMDCPropertyMap().forEach(collected::context);
    if (event.getKeyValuePairs() != null) {
      for (KeyValuePair pair : event.getKeyValuePairs()) {
        collected.put(pair.key, pair.value);
      }
    }
    if (collected.fields.get("workflowId") instanceof String id) {
      collected.workflow(id);
    }
    for (String numeric : NUMBERS) {
      collected.fields.computeIfPresent(numeric, (key, value) -> number(value));
    }
    return collected.fields;
  }

  private void process(Map<String, String> properties) {
    for (String name : OF_PROCESS) {
      var value = properties.getOrDefault(name, "");
      if (!value.isEmpty()) {
        put(name, value);
      }
    }
  }

  private void context(String key, String value) {
    if (key.startsWith("resource.")) {
      fields.putIfAbsent(resourceField(key.substring("resource.".length())), value);
    } else if (key.equals("Namespace")) {
      put("temporalNamespace", value);
    } else if (!key.isEmpty()) {
      put(key.substring(0, 1).toLowerCase(Locale.ROOT) + key.substring(1), value);
    }
  }

  private static String resourceField(String part) {
    return switch (part) {
      case "name" -> "app";
      case "namespace", "generation" -> part;
      default -> "resource." + part;
    };
  }

  private void workflow(String id) {
    var match = WORKFLOW_ID.matcher(id);
    if (match.matches()) {
      for (String part : PARTS) {
        if (match.group(part) != null) {
          fields.putIfAbsent(part, match.group(part));
        }
      }
    }
  }

  private void put(String key, Object value) {
    fields.put(key, value);
  }

  private static Object number(Object value) {
    String text = value.toString();
    return text.matches("\\d{1,18}") ? (Object) Long.valueOf(text) : text;
  }
}
