package io.middleware.engine.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.plugin.PluginAction;
import io.middleware.engine.api.plugin.PluginSpec;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The Job of an action, as it is written. */
class ActionJobTest {
  private static final KubernetesSerialization YAML = new KubernetesSerialization();
  private static final String PLUGIN =
      """
      name: redis
      version: 1.0.0
      runtimes: [{name: redis, versions: [{version: "7.0", images: {redis: "redis:7.0"}}]}]
      componentTypes:
      - name: redis
        actions:
        - name: check
          parameters: [{name: db}]
          runs: Job
          job:
            apiVersion: batch/v1
            kind: Job
            metadata: {name: mine}
            spec:
              template:
                metadata: {labels: "${labels}"}
                spec:
                  serviceAccountName: "${name}"
                  containers:
                  - name: check
                    image: "${images.redis}"
                    args: ["${name}-0", "${parameters.db}"]
        templates:
        - template: {apiVersion: v1, kind: ServiceAccount, metadata: {name: "${name}"}}
      """;

  private final GroupRenderer renderer =
      new GroupRenderer(source -> "", BackupSources.NONE, "middleware-system", Duration.ofHours(1));

  @Test
  void shouldRenderWithTheParametersOfTheOperation() {
    // When
    var job = render(PLUGIN);
    // Then
    assertThat(job.getMetadata().getName()).isEqualTo("check-1");
    assertThat(job.getMetadata().getNamespace()).isEqualTo("shop");
    assertThat(job.getMetadata().getLabels())
        .isEqualTo(Labels.of("cache", "db", "g", "redis-v1.0.0"));
    assertThat(container(job).getImage()).isEqualTo("redis:7.0");
    assertThat(container(job).getArgs()).containsExactly("cache-db-g-0", "3");
  }

  @Test
  void shouldSetWhatTheEngineReliesOn() {
    // When
    var job = render(PLUGIN);
    // Then
    assertThat(job.getSpec().getBackoffLimit()).isZero();
    assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(600);
    assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(90);
    var pod = job.getSpec().getTemplate().getSpec();
    assertThat(pod.getRestartPolicy()).isEqualTo("Never");
    assertThat(pod.getTerminationGracePeriodSeconds()).isEqualTo(5);
    assertThat(container(job).getTerminationMessagePolicy()).isEqualTo("FallbackToLogsOnError");
  }

  @Test
  void shouldKeepWhatTheTemplateMaySay() {
    // Given
    var indent = "\n" + " ".repeat(8);
    var limits = "backoffLimit: 2, ttlSecondsAfterFinished: 3600, activeDeadlineSeconds: 60";
    var plugin =
        PLUGIN
            .replace(
                "spec:" + indent + "template:",
                "spec:" + indent + limits.replace(", ", indent) + indent + "template:")
            .replace(
                "- name: check\n" + " ".repeat(14) + "image",
                "- name: check\n"
                    + " ".repeat(14)
                    + "terminationMessagePolicy: File\n"
                    + " ".repeat(14)
                    + "image");
    // When
    var job = render(plugin);
    // Then
    assertThat(job.getSpec().getBackoffLimit()).isEqualTo(2);
    assertThat(job.getSpec().getTtlSecondsAfterFinished()).isEqualTo(3600);
    assertThat(job.getSpec().getActiveDeadlineSeconds()).isEqualTo(60);
    assertThat(container(job).getTerminationMessagePolicy()).isEqualTo("File");
  }

  /** A Service, a budget or the engine must not take them for pods of the group. */
  @Test
  void shouldNotLabelItsPodsAsThoseOfTheGroup() {
    assertThat(render(PLUGIN).getSpec().getTemplate().getMetadata().getLabels())
        .isEqualTo(Map.of(Labels.APP, "cache", Labels.PLUGIN, "redis-v1.0.0"));
  }

  @Test
  void shouldPassTheGuard() {
    assertThatThrownBy(
            () ->
                render(
                    PLUGIN.replace(
                        " ".repeat(12) + "containers:",
                        " ".repeat(12) + "hostNetwork: true\n" + " ".repeat(12) + "containers:")))
        .isInstanceOf(OutputRefusedException.class)
        .hasMessageContaining("Job/check-1: spec.template.spec.hostNetwork: true is not allowed");
    assertThatThrownBy(
            () ->
                render(
                    PLUGIN.replace("serviceAccountName: \"${name}\"", "serviceAccountName: other")))
        .isInstanceOf(OutputRefusedException.class)
        .hasMessageContaining("Job/check-1");
  }

  @Test
  void shouldBeAJobAndNothingElse() {
    assertThatThrownBy(() -> render(PLUGIN.replace("kind: Job", "kind: CronJob")))
        .isInstanceOf(OutputRefusedException.class)
        .hasMessage("redis.actions[check].job: $: must render a Job of batch/v1");
  }

  @Test
  void shouldNameThePlaceOfAnError() {
    // Given
    var plugin = PLUGIN.replace("${parameters.db}", "on ${databas}");
    // When Then
    var message =
        "redis.actions[check].job: spec.template.spec.containers[0].args[1] (1:6): undeclared reference to 'databas'";
    assertThatThrownBy(() -> render(plugin))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(message);
    assertThatThrownBy(() -> renderer.check("redis", action(read(plugin))))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(message);
    renderer.check("redis", action(read(PLUGIN)));
  }

  @Test
  void shouldSayWhichPreconditionsDoNotHold() {
    // Given
    var plugin =
        read(
            PLUGIN.replace(
                "runs: Job",
                """
                preconditions:
                    - {cel: "replicas > 1", message: too few replicas}
                    - {cel: "parameters.db == '0' || runtime.version == '9'", message: not this db}
                    runs: Job\
                """));
    // When
    var unmet =
        renderer.unmet(plugin, "shop", SampleGroups.running(3), action(plugin), Map.of("db", "3"));
    // Then
    assertThat(unmet).containsExactly("not this db");
    assertThatThrownBy(
            () -> renderer.unmet(plugin, "shop", SampleGroups.running(3), action(plugin), Map.of()))
        .isInstanceOf(TemplateException.class)
        .hasMessageContaining(
            "redis.actions[check].preconditions[1]: cel (1:1): key 'db' is not present in map");
  }

  private Job render(String text) {
    var plugin = read(text);
    var job =
        new ActionJob(
            action(plugin),
            "check-1",
            Map.of("db", "3"),
            Optional.of(Duration.ofMillis(89_001)),
            Optional.of(Duration.ofSeconds(5)));
    var rendered = renderer.renderJob(plugin, "shop", SampleGroups.running(3), "", job);
    return YAML.convertValue(rendered.tree(), Job.class);
  }

  private static PluginSpec read(String text) {
    return YAML.unmarshal(text, PluginSpec.class);
  }

  private static PluginAction action(PluginSpec plugin) {
    return plugin.componentTypes().getFirst().actions().getFirst();
  }

  private static Container container(Job job) {
    return job.getSpec().getTemplate().getSpec().getContainers().getFirst();
  }
}
