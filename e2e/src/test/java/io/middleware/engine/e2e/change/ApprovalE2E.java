package io.middleware.engine.e2e.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.change.PlanStatus;
import io.middleware.engine.api.change.PlannedObject;
import io.middleware.engine.api.change.PlannedPod;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Shop;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An App that asks for approval shows what would be done, and nothing is done before. */
@EndToEnd
class ApprovalE2E {
  private static final List<String> PODS =
      List.of("cache-sentinel-all-0", "cache-redis-nodes-shard-0-0", "cache-redis-nodes-shard-1-0");

  private final Shop shop;

  ApprovalE2E(Shop shop) {
    this.shop = shop;
  }

  @Test
  void shouldShowThePlanAndBeginExactlyThatOnceApproved() {
    // Given
    var app = shop.cache().replace("replicas: 3", "replicas: 1");
    shop.apply(app);
    shop.awaitReady("cache");
    var audit = AuditLog.fromNow();
    // When
    shop.apply(
        app.replace("version: \"7.0\"", "version: \"7.2\"")
            .replace("change: {", "change: {approval: Manual, "));
    // Then
    var plan = awaitPlan();
    assertThat(plan.tasks())
        .extracting(task -> task.id())
        .containsExactly("2-versionupgrade-sentinel", "2-versionupgrade-redis-nodes");
    assertThat(plan.pods()).extracting(PlannedPod::pod).containsExactlyInAnyOrderElementsOf(PODS);
    assertThat(plan.pods()).extracting(PlannedPod::action).containsOnly("Restart");
    assertThat(plan.objects())
        .extracting(PlannedObject::kind, PlannedObject::action)
        .contains(tuple("StatefulSet", "Update"));
    assertThat(shop.kubectl("", "get", "apps", "-n", shop.namespace)).contains("AwaitingApproval");
    // When
    shop.annotate("cache", Labels.APPROVE, "0123456789abcdef");
    await().until(() -> annotation() == null);
    // Then
    assertThat(awaitPlan()).isEqualTo(plan);
    assertThat(audit.restarts(shop.namespace)).isEmpty();
    // When
    shop.annotate("cache", Labels.APPROVE, plan.hash());
    // Then
    assertThat(shop.awaitReady("cache").getStatus().plan()).isNull();
    assertThat(audit.restarts(shop.namespace)).isEqualTo(PODS);
    await("the approval is answered").until(() -> annotation() == null);
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

  private PlanStatus awaitPlan() {
    return shop.awaitApp("cache", ApprovalE2E::shows).getStatus().plan();
  }

  private static boolean shows(App app) {
    return app.getStatus() != null
        && app.getStatus().plan() != null
        && app.getStatus().plan().generation() == 2
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
