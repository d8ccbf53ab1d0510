package io.middleware.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.Plugin;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.planning.OfflinePlan.OfflineOutcome;
import io.middleware.engine.render.BackupSources;
import io.middleware.engine.render.GroupRenderer;
import io.middleware.engine.render.Trees;
import io.middleware.engine.render.schema.ObjectSchema;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Plugins of the checkout in a namespace that enforces the standard {@code restricted}. */
@ExtendWith(ApiServer.class)
class PodSecurityIT {
  private static final Path PLUGINS = Path.of("..", "plugins");

  private final LocalNamespace cluster;

  PodSecurityIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void enforceRestricted() {
    cluster
        .client()
        .namespaces()
        .withName(cluster.namespace())
        .edit(
            namespace ->
                namespace
                    .edit()
                    .editMetadata()
                    .addToLabels("pod-security.kubernetes.io/enforce", "restricted")
                    .endMetadata()
                    .build());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "redis/app-replication",
        "redis/app-sentinel",
        "redis/app-sharded",
        "redis/app-monitored",
        "../e2e/src/test/resources/quorum/app"
      })
  void shouldAcceptThePodsOfThePluginsOfTheHouse(String sample) {
    // Given
    var app = PLUGINS.resolve(sample + ".yaml");
    // When
    var sets = statefulSets(app, app.resolveSibling("plugin.yaml"));
    // Then
    assertThat(sets)
        .isNotEmpty()
        .extracting(PodSecurityIT::pod)
        .allSatisfy(
            rendered -> {
              var pod = create(rendered).getSpec();
              assertThat(pod.getAutomountServiceAccountToken()).isFalse();
              assertThat(pod.getContainers())
                  .filteredOn(container -> container.getName().equals("agent"))
                  .singleElement()
                  .satisfies(
                      container ->
                          assertThat(container.getResources().getRequests())
                              .containsKeys("cpu", "memory"));
            });
  }

  @Test
  void shouldRefuseAPodThatSaysNothing() {
    // Given
    var silent =
        new PodBuilder()
            .withNewMetadata()
            .withName("silent")
            .endMetadata()
            .withNewSpec()
            .addNewContainer()
            .withName("c")
            .withImage("c")
            .endContainer()
            .endSpec()
            .build();
    // When Then
    assertThatThrownBy(() -> create(silent))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContaining("violates PodSecurity \"restricted:latest\"");
  }

  private List<StatefulSet> statefulSets(Path app, Path plugin) {
    var renderer =
        new GroupRenderer(
            key -> {
              throw new NoSuchElementException(key.name());
            },
            BackupSources.NONE,
            "middleware-system",
            Duration.ofMinutes(1));
    var outcome =
        new OfflinePlan(renderer)
            .of(read(app, "apps", App.class), read(plugin, "plugins", Plugin.class));
    assertThat(outcome).isInstanceOf(OfflineOutcome.RenderedApp.class);
    return ((OfflineOutcome.RenderedApp) outcome)
        .groups().stream()
            .flatMap(group -> group.objects().stream())
            .filter(object -> object.kind().kind().equals("StatefulSet"))
            .map(
                object ->
                    cluster
                        .client()
                        .getKubernetesSerialization()
                        .convertValue(object.tree(), StatefulSet.class))
            .toList();
  }

  private <T extends HasMetadata> T read(Path file, String plural, Class<T> type) {
    var checked = ObjectSchema.of(plural).check(Trees.one(Trees.text(file)));
    assertThat(checked.problems()).isEmpty();
    return cluster.client().getKubernetesSerialization().convertValue(checked.object(), type);
  }

  /** As the StatefulSet's controller makes it, with empty volumes instead of claims. */
  private static Pod pod(StatefulSet set) {
    var template = set.getSpec().getTemplate();
    var pod =
        new PodBuilder()
            .withMetadata(
                new ObjectMetaBuilder(template.getMetadata())
                    .withName(set.getMetadata().getName() + "-0")
                    .build())
            .withSpec(template.getSpec());
    set.getSpec()
        .getVolumeClaimTemplates()
        .forEach(
            claim ->
                pod.editSpec()
                    .addNewVolume()
                    .withName(claim.getMetadata().getName())
                    .withNewEmptyDir()
                    .endEmptyDir()
                    .endVolume()
                    .endSpec());
    return pod.build();
  }

  private Pod create(Pod pod) {
    return cluster.client().pods().inNamespace(cluster.namespace()).resource(pod).dryRun().create();
  }
}
