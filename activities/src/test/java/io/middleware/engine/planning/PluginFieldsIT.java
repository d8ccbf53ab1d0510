package io.middleware.engine.planning;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.App;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PlanAnswer;
import io.middleware.engine.workflows.port.PlanRequest;
import io.middleware.engine.workflows.port.TaskRef;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Each field of the Plugin's schema, changed by a new version of a Plugin that sets all of them:
 * the plan says what becomes of it, or it is refused, or it is known why nothing that is deployed
 * depends on it. A new field fails until the sample has it, and until it is known what it does.
 */
@ExtendWith(ApiServer.class)
class PluginFieldsIT {
  private static final Path CRD =
      Path.of("..", "k8s", "chart", "files", "crds", "plugins.middleware.io.yaml");

  /** No Plugin has it: parameters of actions share their schema with those of types. */
  private static final String REFUSED = "componentTypes[].actions[].parameters[].derived";

  /** Which Plugin it is. */
  private static final List<String> IDENTITY = List.of("name", "version");

  /** Where {@link PluginFields#other} would only be a wrong value. */
  private static final Map<String, Object> OTHERS =
      Map.ofEntries(
          entry("orderFallback{}", "Concurrent"),
          entry("taskOrder[]", "Storage"),
          entry("allowedKinds[].apiVersion", "batch/v1"),
          entry("podSecurity", "Restricted"),
          entry("componentTypes[].parameters[].type", "integer"),
          entry("componentTypes[].parameters[].default", "data.rdb"),
          entry("componentTypes[].parameters[].pattern", "^[a-z.]*$"),
          entry("componentTypes[].parameters[].derived", "components.map(c, c + c).join(' ')"),
          entry("componentTypes[].parameters[].effect", "Restart"),
          entry("componentTypes[].parameters[].enum[]", "old.rdb"),
          entry("componentTypes[].templates[].fromConfigMap.name", "other-templates"),
          entry("componentTypes[].templates[].fromConfigMap.key", "other"),
          entry("componentTypes[].supports[]", "Backup"),
          entry("componentTypes[].actions[].name", "tell"),
          entry("componentTypes[].actions[].parameters[].default", "one"),
          entry("componentTypes[].actions[].parameters[].effect", "Hot"),
          entry("componentTypes[].actions[].parameters[].type", "integer"),
          entry("componentTypes[].actions[].runs", "Job"),
          entry("componentTypes[].actions[].parameters[].enum[]", "two"),
          entry("componentTypes[].actions[].parameters[].pattern", "^[a-z]*$"),
          entry("componentTypes[].actions[].pods", "One"),
          entry("componentTypes[].actions[].preconditions[].cel", "replicas > 1"),
          entry("componentTypes[].rules[].cel", "replicas > 1"),
          entry("componentTypes[].hooks.afterProvision", "dump"),
          entry("componentTypes[].hooks.beforeUpgrade", "dump"),
          entry("componentTypes[].hooks.afterUpgrade", "dump"),
          entry("componentTypes[].hooks.afterScale", "dump"),
          entry("componentTypes[].hooks.beforeRemove", "dump"),
          entry("componentTypes[].checks[].after", "Task"),
          entry("componentTypes[].checks[].changeTypes[]", "Config"),
          entry("componentTypes[].checks[].allOf[].cel", "nodes.size() > 1"),
          entry("componentTypes[].checks[].allOf[].agent.role", "Primary"),
          entry("componentTypes[].checks[].allOf[].agent.cel", "int(answer) < 6"),
          entry("componentTypes[].checks[].allOf[].prometheus.cel", "result[0] > 1.0"),
          entry(
              "componentTypes[].checks[].allOf[].prometheus.url",
              "https://prometheus.example.com:9090/x"),
          entry(
              "componentTypes[].checks[].anyOf[].prometheus.url",
              "https://prometheus.example.com:9090/x"),
          entry("componentTypes[].checks[].allOf[].webhook.url", "https://verify.example.com/x"),
          entry("componentTypes[].checks[].anyOf[].webhook.url", "https://verify.example.com/x"),
          entry("componentTypes[].checks[].anyOf[].cel", "nodes.size() > 1"),
          entry("componentTypes[].checks[].anyOf[].agent.role", "Primary"),
          entry("componentTypes[].checks[].anyOf[].agent.cel", "int(answer) < 6"),
          entry("componentTypes[].checks[].anyOf[].prometheus.cel", "result[0] > 1.0"));

  /** Why a plan says nothing of these, or of what is below them. */
  private static final Map<String, String> UNSAID =
      Map.ofEntries(
          entry("allowedKinds[]", "templates may make more, or less, which is refused"),
          entry("componentTypes[].actions[]", "an Operation or a hook reads it when it begins"),
          entry("componentTypes[].checks[]", "read when the check is made; its name is shown"),
          entry("componentTypes[].endpoints[].failoverSeconds", "read from its Service"),
          entry(
              "componentTypes[].accounts.", "of Apps with accounts only; what it gives is listed"),
          entry(
              "componentTypes[].connection.",
              "of groups with a password only; its Secret is listed as each that is written"),
          entry(
              "componentTypes[].endpoints[].port",
              "its Service is listed as each that is written; the hash covers what is in it"),
          entry(
              "componentTypes[].endpoints[].tls",
              "its Service is listed where it is written; the hash covers whether it is"),
          entry("componentTypes[].hooks.afterProvision", "of new components only"),
          entry("componentTypes[].hooks.beforeRemove", "of components that are removed only"),
          entry("componentTypes[].parameters[].effect", "says how the next edit is carried out"),
          entry("componentTypes[].parameters[].enum[]", "limits values, and makes none"),
          entry("componentTypes[].parameters[].maximum", "limits values, and makes none"),
          entry("componentTypes[].parameters[].minimum", "limits values, and makes none"),
          entry("componentTypes[].parameters[].pattern", "limits values, and makes none"),
          entry("componentTypes[].rules[]", "limits values, and makes none"),
          entry("componentTypes[].switchover", "says how the next steps treat a primary"),
          entry("componentTypes[].parameters[].sensitive", "says who may see the value"),
          entry("componentTypes[].supports[]", "says what an App may ask for"),
          entry(
              "componentTypes[].templates[].fromConfigMap",
              "the objects are listed as each that is written; the hash covers what is in them"),
          entry(
              "componentTypes[].volumes[].name",
              "says by which name an App gives a size; the claims are listed"),
          entry("componentTypes[].volumes[].required", "limits what an App gives, and makes none"),
          entry("orderFallback{}", "says in which order pods are worked on"),
          entry("orders.", "says in which order components are worked on"),
          entry("runtimes[].versions[].noWayBackTo[]", "says which next edit is refused"),
          entry("runtimes[].versions[].upgradesFrom[]", "says which next edit is accepted"),
          entry("switchover", "asked of the primary when it is its turn"),
          entry("taskOrder[]", "the tasks of a plan are listed in their order"));

  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private int version;

  PluginFieldsIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
  }

  @Test
  void shouldSayWhatBecomesOfEachFieldThatANewVersionChanges() throws IOException {
    // Given
    templates("redis-templates");
    templates("other-templates");
    deploy();
    var next = ofNextVersion("");
    var edited = ofEditedVersion("");
    // When
    Map<String, String> outcomes = new TreeMap<>();
    for (var field : fields()) {
      var ofNext = ofNextVersion(field);
      var ofEdited = ofEditedVersion(field);
      outcomes.put(field, ofNext.equals(next) && ofEdited.equals(edited) ? "" : ofNext + ofEdited);
    }
    // Then
    var silent = outcomes.keySet().stream().filter(field -> outcomes.get(field).isEmpty()).toList();
    assertThat(silent)
        .as("a new field: show in the plan what becomes of it, or say why not")
        .allMatch(field -> UNSAID.keySet().stream().anyMatch(field::startsWith));
    assertThat(UNSAID.keySet())
        .as("reasons that are still needed")
        .allMatch(reason -> silent.stream().anyMatch(field -> field.startsWith(reason)));
  }

  @SuppressWarnings("unchecked")
  private static List<String> fields() throws IOException {
    var crd = Serialization.unmarshal(Files.readString(CRD), Map.class);
    var schema = PluginFields.get(crd, List.of("spec", "versions", 0, "schema"));
    var spec = PluginFields.get(schema, List.of("openAPIV3Schema", "properties", "spec"));
    return PluginFields.of((Map<String, ?>) spec).stream()
        .filter(field -> !IDENTITY.contains(field))
        .filter(field -> !field.equals(REFUSED))
        .toList();
  }

  /**
   * What is said of an upgrade to a Plugin that differs in this field.
   *
   * @param field empty for none
   */
  private String ofNextVersion(String field) throws IOException {
    version++;
    return said("1.0." + version, field, UnaryOperator.identity());
  }

  /**
   * What is said of an edit of the App after one of its Plugin: not all objects change with the
   * version.
   */
  private String ofEditedVersion(String field) throws IOException {
    cluster.named(Plugin.class, "redis-v1.0.0").delete();
    return said("1.0.0", field, yaml -> yaml.replace("replicas: 2", "replicas: 3"));
  }

  private String said(String next, String field, UnaryOperator<String> edit) throws IOException {
    try {
      create(next, field);
    } catch (KubernetesClientException e) {
      return "refused by the API server";
    }
    var app =
        cluster.editApp(
            yaml ->
                edit.apply(yaml)
                    .replace("version: 1.0.0", "version: " + next)
                    .replace("spec:", "spec:\n  change: {approval: Manual}"));
    return switch (plan(app)) {
      case PlanAnswer.Rejected rejected -> "rejected: " + rejected.message();
      default -> shown(cluster.named(App.class, "cache").get().getStatus().plan(), next);
    };
  }

  private static String shown(PlanStatus plan, String next) {
    return Serialization.asYaml(
            new PlanStatus(
                null, null, plan.tasks(), plan.pods(), plan.objects(), plan.values(), null))
        .replace(next, "NEXT")
        .replaceAll("[0-9]+-([a-z]+)-db", "$1-db");
  }

  private void create(String next, String field) throws IOException {
    var plugin = sample();
    if (!field.isEmpty()) {
      var place = PluginFields.find(plugin.get("spec"), field);
      assertThat(place).as("the sample has no field %s", field).isPresent();
      var value = PluginFields.get(plugin.get("spec"), place.get());
      var other = OTHERS.getOrDefault(field, PluginFields.other(value));
      PluginFields.set(plugin.get("spec"), place.get(), other);
    }
    cluster
        .client()
        .genericKubernetesResources("middleware.io/v1", "Plugin")
        .inNamespace(cluster.namespace())
        .resource(
            Serialization.unmarshal(
                Serialization.asYaml(plugin).replace("1.0.0", next),
                GenericKubernetesResource.class))
        .create();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> sample() throws IOException {
    try (var text =
        PluginFieldsIT.class.getResourceAsStream("/planning/plugin-with-all-fields.yaml")) {
      return Serialization.unmarshal(text, Map.class);
    }
  }

  private void templates(String name) {
    var config =
        """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: "${name}-config"}
        data: {maxmemory: "${config.maxmemory}", ratio: "${string(config.ratio)}", from: %s}
        """;
    cluster.create(
        new ConfigMapBuilder()
            .withNewMetadata()
            .withName(name)
            .endMetadata()
            .addToData("config", config.formatted(name))
            .addToData("other", config.formatted("another-key"))
            .build());
  }

  private void deploy() throws IOException {
    create("1.0.0", "");
    var app = cluster.createApp();
    var answer = plan(app);
    assertThat(answer).as("%s", answer).isInstanceOf(PlanAnswer.Planned.class);
    var plan = ((PlanAnswer.Planned) answer).plan();
    var task =
        new TaskRef(engine.begin(app), "1-provision-db", ChangeType.PROVISION, "db")
            .with(plan.pluginRevision());
    engine.resources().openComponent(task);
    engine.resources().applyGroup(new GroupRef(task, "g"));
    engine.resources().settleComponent(task);
  }

  private PlanAnswer plan(App app) {
    return LocalPlanning.of(engine)
        .plan(new PlanRequest(cluster.change(app, "run-1"), Optional.empty()));
  }
}
