package io.middleware.engine.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.middleware.engine.api.json.LenientObjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.luaj.vm2.LuaTable;
import org.luaj.vm2.LuaValue;
import org.luaj.vm2.lib.jse.JsePlatform;

/**
 * The scripts for Argo CD in {@code k8s/argocd}: what they say of an App, and what they ask of it.
 */
class ArgoCdTest {
  private static final Path FILE = Path.of("..", "k8s", "argocd", "argocd-cm.yaml");
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final String CUSTOMIZATIONS = "resource.customizations.";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Healthy     | {type: Ready, status: 'True', observedGeneration: 7}",
        "Progressing | {type: Ready, status: 'True', observedGeneration: 6}",
        "Degraded    | {type: Ready, status: 'False', observedGeneration: 7}",
        "Degraded    | {type: Accepted, status: 'False', observedGeneration: 7}",
        "Progressing | {type: Accepted, status: 'False', observedGeneration: 6}",
        "Degraded    | {type: Stalled, status: 'True', observedGeneration: 7}",
        "Progressing | {type: Stalled, status: 'True', observedGeneration: 6}",
        "Progressing | {type: Reconciling, status: 'True', observedGeneration: 7}",
        "Suspended   | {type: AwaitingApproval, status: 'True', observedGeneration: 7}",
        "Suspended   | {type: Paused, status: 'True', observedGeneration: 6}",
      })
  void shouldReadTheHealthFromTheConditions(String health, String condition) throws IOException {
    // Given
    var app = "{metadata: {generation: 7}, status: {conditions: [%s]}}".formatted(condition);
    // Then
    assertThat(health(app)).isEqualTo(health);
  }

  @Test
  void shouldPreferWhatWaitsForPeopleToWhatIsInProgress() throws IOException {
    var changing =
        "{type: Reconciling, status: 'True'}, {type: Ready, status: 'False', observedGeneration: 7}";
    assertThat(
            health("{metadata: {generation: 7}, status: {conditions: [%s]}}".formatted(changing)))
        .isEqualTo("Progressing");
    assertThat(
            health(
                "{metadata: {generation: 7}, status: {conditions: [%s, {type: Paused, status: 'True'}]}}"
                    .formatted(changing)))
        .isEqualTo("Suspended");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{metadata: {generation: 1}}",
        "{metadata: {generation: 1, deletionTimestamp: '2026-01-01T00:00:00Z'}}"
      })
  void shouldWaitForAnAppWithoutStatus(String app) throws IOException {
    assertThat(health(app)).isEqualTo("Progressing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Component", "Group"})
  void shouldReadTheHealthOfPartsAsThatOfApps(String kind) throws IOException {
    assertThat(script("health.middleware.io_" + kind))
        .isEqualTo(script("health.middleware.io_App"));
  }

  private static String health(String app) throws IOException {
    return run(script("health.middleware.io_App"), app).get("status").tojstring();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retry   | {phase: Failed, conditions: [{type: Stalled, status: 'True'}]}",
        "retry   | {phase: Rejected}",
        "cancel  | {phase: Changing, conditions: [{type: Reconciling, status: 'True'}]}",
        "approve | {phase: AwaitingApproval, plan: {hash: abc}}",
      })
  void shouldOfferOnlyWhatApplies(String only, String status) throws IOException {
    // When
    var actions = run(actions().path("discovery.lua").asText(), "{status: %s}".formatted(status));
    // Then
    for (var action : actions().path("definitions").findValuesAsText("name")) {
      assertThat(actions.get(action).get("disabled").toboolean())
          .as(action)
          .isEqualTo(!action.equals(only));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "approve | middleware.io/approve        | abc",
        "cancel  | middleware.io/cancel-control | {}",
        "retry   | middleware.io/retry-control  | {\"retryTaskIds\": [\"1-stop-a\", \"1-stop-b\"], \"resetDependencies\": true}",
      })
  void shouldAskByAnnotation(String action, String annotation, String value) throws IOException {
    // Given
    var app =
        "{metadata: {}, status: {plan: {hash: abc}, tasks: [{id: 1-stop-a, status: Failed},"
            + " {id: 1-stop-b, status: Cancelled}, {id: 1-stop-c, status: Done}]}}";
    // When
    var changed = run(definition(action), app);
    // Then
    assertThat(changed.get("metadata").get("annotations").get(annotation).tojstring())
        .isEqualTo(value);
    assertThat(new String[] {Labels.APPROVE, Labels.CANCEL_CONTROL, Labels.RETRY_CONTROL})
        .contains(annotation);
  }

  /** Without tasks there is nothing to retry but the plan. */
  @Test
  void shouldPlanARejectedAppAgain() throws IOException {
    var changed = run(definition("retry"), "{metadata: {annotations: {a: b}}, status: {}}");
    var annotations = changed.get("metadata").get("annotations");
    assertThat(annotations.get(Labels.RETRY_CONTROL).tojstring()).isEqualTo("{}");
    assertThat(annotations.get("a").tojstring()).isEqualTo("b");
  }

  private static JsonNode actions() throws IOException {
    return YAML.readTree(script("actions.middleware.io_App"));
  }

  private static String definition(String action) throws IOException {
    for (var definition : actions().path("definitions")) {
      if (definition.path("name").asText().equals(action)) {
        return definition.path("action.lua").asText();
      }
    }
    throw new AssertionError("no action " + action);
  }

  private static String script(String key) throws IOException {
    var map =
        new LenientObjects().serialization().unmarshal(Files.readString(FILE), ConfigMap.class);
    return map.getData().get(CUSTOMIZATIONS + key);
  }

  private static LuaValue run(String script, String object) throws IOException {
    var globals = JsePlatform.standardGlobals();
    globals.set("obj", lua(YAML.readTree(object)));
    return globals.load(script).call();
  }

  private static LuaValue lua(JsonNode node) {
    return switch (node.getNodeType()) {
      case OBJECT -> {
        var table = new LuaTable();
        node.properties().forEach(field -> table.set(field.getKey(), lua(field.getValue())));
        yield table;
      }
      case ARRAY -> {
        var table = new LuaTable();
        node.forEach(item -> table.set(table.length() + 1, lua(item)));
        yield table;
      }
      case NUMBER -> LuaValue.valueOf(node.asInt());
      case BOOLEAN -> LuaValue.valueOf(node.asBoolean());
      default -> LuaValue.valueOf(node.asText());
    };
  }
}
