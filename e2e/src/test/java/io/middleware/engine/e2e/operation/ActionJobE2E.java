package io.middleware.engine.e2e.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.e2e.AppOperation;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An Operation runs an action of the Plugin as a Job of each group. */
@EndToEnd
class ActionJobE2E {
  private static final String GROUP = "locks-ensemble-main";
  private static final String WORDS = "local.middleware.io/last-words: \"3 of 3 members serve\"";

  private final Shop shop;

  ActionJobE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldWaitForTheJobAndShowItsLastWords() {
    // Given
    deploy(
        shop.file("e2e/src/test/resources/quorum/plugin.yaml"),
        shop.file("e2e/src/test/resources/quorum/app.yaml"));
    // When
    shop.apply(shop.file("e2e/src/test/resources/quorum/operation-job.yaml"));
    // Then
    var status = check().ends("Succeeded");
    assertThat(status.runs())
        .extracting(ActionRun::group, ActionRun::status, ActionRun::exitCode, ActionRun::output)
        .containsExactly(tuple("main", "Succeeded", 0, "3 of 3 members serve"));
    var job = jobs().getFirst().getMetadata();
    assertThat(job.getName()).isEqualTo(status.runs().getFirst().pod());
    assertThat(job.getOwnerReferences())
        .extracting(OwnerReference::getKind, OwnerReference::getName)
        .containsExactly(tuple("Group", GROUP));
    // and no Service and no budget of the group takes its pod for a member
    assertThat(members()).hasSize(3).allSatisfy(it -> assertThat(it).startsWith(GROUP + "-"));
  }

  @Test
  void shouldDeleteTheJobWhenItsTimeIsOver() {
    // Given
    deployWith("local.middleware.io/fault: image-pull");
    // When
    apply(", timeout: 40s, maxRetries: 1");
    // Then
    var status = check().ends("Failed");
    assertThat(status.tasks().getFirst().error().reason()).isEqualTo("TaskTimedOut");
    assertThat(status.message()).contains("ImagePullBackOff");
    assertThat(status.runs())
        .extracting(ActionRun::status)
        .singleElement()
        .isIn("Cancelled", "Failed");
    // and nothing of it is left when the Operation has ended
    assertThat(jobs()).isEmpty();
  }

  /** A Plugin of its own, which other tests do not use; its Jobs' pods have these annotations. */
  private void deployWith(String annotations) {
    var name = "quorum-" + shop.namespace;
    deploy(
        shop.file("e2e/src/test/resources/quorum/plugin.yaml")
            .replace("name: quorum", "name: " + name)
            .replace(WORDS, annotations),
        shop.file("e2e/src/test/resources/quorum/app.yaml")
            .replace("name: quorum", "name: " + name));
  }

  private void deploy(Yaml plugin, Yaml app) {
    shop.applyPlugin(plugin);
    shop.apply(app);
    shop.awaitReady("locks");
  }

  private void apply(String fields) {
    shop.apply(check().yaml(fields).replace("app: cache", "app: locks"));
  }

  private AppOperation check() {
    return new AppOperation(shop, "check-1", "check");
  }

  private List<Job> jobs() {
    return shop.client.resources(Job.class).inNamespace(shop.namespace).list().getItems();
  }

  private List<String> members() {
    return shop
        .client
        .resources(Pod.class)
        .inNamespace(shop.namespace)
        .withLabel("middleware.io/group", "main")
        .list()
        .getItems()
        .stream()
        .map(pod -> pod.getMetadata().getName())
        .toList();
  }
}
