package io.middleware.engine.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.PlanStatus;
import io.middleware.engine.api.PlannedObject;
import io.middleware.engine.api.PlannedPod;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An App that asks for approval shows what would be done, and nothing is done before. */
@EndToEnd
class ApprovalE2E {
  private final Shop shop;
  private final Story story;

  ApprovalE2E(Shop shop) {
    this.shop = shop;
    this.story = new Story(shop);
  }

  @Test
  void shouldShowThePlanAndBeginExactlyThatOnceApproved() {
    // Given
    story.deployed();
    var audit = AuditLog.fromNow();
    // When
    shop.apply(manual(story.upgraded()));
    // Then
    var plan = awaitPlan(2);
    assertThat(plan.tasks())
        .extracting(task -> task.id())
        .containsExactly("2-versionupgrade-sentinel", "2-versionupgrade-redis-nodes");
    assertThat(plan.pods())
        .extracting(PlannedPod::pod)
        .containsExactlyInAnyOrderElementsOf(Story.UPGRADE_ORDER);
    assertThat(plan.pods()).extracting(PlannedPod::action).containsOnly("Restart");
    assertThat(plan.objects())
        .extracting(PlannedObject::kind, PlannedObject::action)
        .contains(tuple("StatefulSet", "Update"));
    assertThat(shop.kubectl("", "get", "apps", "-n", shop.namespace)).contains("AwaitingApproval");
    // When
    shop.annotate("cache", Labels.APPROVE, "0123456789abcdef");
    await().until(() -> annotation() == null);
    // Then
    assertThat(awaitPlan(2)).isEqualTo(plan);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    // When
    shop.annotate("cache", Labels.APPROVE, plan.hash());
    // Then
    story.endsWell();
    assertThat(shop.status("cache").plan()).isNull();
    assertThat(annotation()).isNull();
  }

  @Test
  void shouldShowAnotherPlanAfterAnotherEdit() {
    // Given
    story.deployed();
    shop.apply(manual(story.upgraded()));
    var first = awaitPlan(2);
    // When
    shop.apply(manual(shop.cache().replace("replicas: 3", "replicas: 4")));
    // Then
    var second = awaitPlan(3);
    assertThat(second.hash()).isNotEqualTo(first.hash());
    assertThat(second.pods())
        .isNotEmpty()
        .allMatch(pod -> pod.action().equals("Create") && pod.pod().endsWith("-3"));
    // When
    shop.apply(shop.cache());
    // Then
    shop.awaitReady("cache");
    assertThat(shop.status("cache").plan()).isNull();
    assertThat(shop.status("cache").tasks()).isEmpty();
  }

  @Test
  void shouldShowThePlanAnewWhenItsPluginHasChanged() {
    // Given
    plugin("500ms");
    shop.apply(
        shop.small("cache")
            .replace("version: 1.0.0", "version: 1.0.9")
            .plus("  change: {approval: Manual}\n"));
    var first = awaitPlan(1);
    plugin("400ms");
    // When
    shop.annotate("cache", Labels.APPROVE, first.hash());
    // Then
    var second =
        shop.awaitApp(
                "cache",
                app -> shows(app, 1) && !app.getStatus().plan().hash().equals(first.hash()))
            .getStatus()
            .plan();
    assertThat(second.objects()).isEqualTo(first.objects());
    assertThat(shop.pods("cache")).isEmpty();
    await().until(() -> annotation() == null);
    // When
    shop.annotate("cache", Labels.APPROVE, second.hash());
    // Then
    shop.awaitReady("cache");
    assertThat(shop.pods("cache"))
        .extracting(
            pod -> pod.getMetadata().getAnnotations().get("local.middleware.io/ready-after"))
        .containsOnly("400ms");
  }

  /** The status shows a plan a little earlier than the run waits for its approval. */
  @Test
  void shouldBeginWhenThePlanIsApprovedAsSoonAsItShows() {
    // Given
    var cache = shop.client.resources(App.class).inNamespace(shop.namespace).withName("cache");
    var approval = CompletableFuture.runAsync(() -> approveAtOnce(cache));
    // When
    shop.apply(shop.small("cache").plus("  change: {approval: Manual}\n"));
    approval.join();
    // Then
    shop.awaitReady("cache");
    assertThat(shop.events("cache", "ControlRefused")).isEmpty();
  }

  private static void approveAtOnce(Resource<App> cache) {
    var app =
        cache.waitUntilCondition(
            it -> it != null && it.getStatus() != null && it.getStatus().plan() != null,
            Shop.PATIENCE.toSeconds(),
            TimeUnit.SECONDS);
    var approval = "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}";
    cache.patch(
        PatchContext.of(PatchType.JSON_MERGE),
        approval.formatted(Labels.APPROVE, app.getStatus().plan().hash()));
  }

  /** One of its own, as others are at work with the sample. */
  private void plugin(String readyAfter) {
    shop.applyPlugin(
        shop.sample("plugin-redis.yaml")
            .replace("redis-v1.0.0", "redis-v1.0.9")
            .replace("version: 1.0.0", "version: 1.0.9")
            .replace("ready-after: 500ms", "ready-after: " + readyAfter));
  }

  private static Yaml manual(Yaml app) {
    return app.replace("change: {", "change: {approval: Manual, ");
  }

  private PlanStatus awaitPlan(long generation) {
    return shop.awaitApp("cache", app -> shows(app, generation)).getStatus().plan();
  }

  private static boolean shows(App app, long generation) {
    return app.getStatus() != null
        && app.getStatus().plan() != null
        && app.getStatus().plan().generation() == generation
        && "AwaitingApproval".equals(app.getStatus().phase())
        && Shop.condition(app, "AwaitingApproval")
            .filter(condition -> condition.getStatus().equals("True"))
            .isPresent();
  }

  private String annotation() {
    var annotations = shop.app("cache").getMetadata().getAnnotations();
    return annotations == null ? null : annotations.get(Labels.APPROVE);
  }
}
