package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.Node;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another middleware than Redis: a quorum. Its leader is replaced last, its majority stays. */
@EndToEnd
class QuorumE2E {
  private static final String GROUP = "locks-ensemble-main";
  private static final String PROMOTION = "agent.local.middleware.io/promote=true";
  private static final String ACTIONS_RUN = "agent.local.middleware.io/actions-run";
  private static final String FAULT = "agent.local.middleware.io/fault";
  private static final String UPGRADE = "2-versionupgrade-ensemble";
  private static final int MEMBERS = 5;

  private final Shop shop;

  QuorumE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void open() {
    shop.apply(shop.file("e2e/src/test/resources/quorum/plugin.yaml"));
  }

  @Test
  void shouldUpgradeOneFollowerAfterTheOtherAndTheLeaderLast() {
    // Given
    shop.apply(shop.file("e2e/src/test/resources/quorum/app.yaml"));
    shop.awaitReady("locks");
    awaitRoles("primary", "follower", "follower");
    shop.kubectl("", "annotate", "pod", GROUP + "-1", "-n", shop.namespace, PROMOTION);
    awaitRoles("follower", "primary", "follower");
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(shop.file("e2e/src/test/resources/quorum/app-upgraded.yaml"));
      // Then
      var app = shop.awaitReady("locks");
      assertThat(diary.firstTimes())
          .containsExactly(
              GROUP + "-0 leaves",
              GROUP + "-0 ready",
              GROUP + "-2 leaves",
              GROUP + "-2 ready",
              GROUP + "-1 leaves",
              GROUP + "-1 ready");
      assertThat(app.getStatus().tasks())
          .extracting(task -> task.status(), task -> task.description())
          .containsExactly(
              tuple("Done", "runtime zookeeper 3.8 → 3.9 on ensemble; then runs snapshot"),
              tuple("Done", "maxClientCnxns of ensemble: 60 → 100 (hot)"));
    }
    assertThat(images()).containsOnly("docker.io/library/zookeeper:3.9");
    assertThat(shop.pods("locks"))
        .extracting(pod -> pod.getMetadata().getAnnotations().get(ACTIONS_RUN))
        .containsOnly("1 snapshot keep=3");
  }

  @Test
  void shouldTouchNoPodUntilTheHookBeforeAnUpgradeSucceeds() {
    // Given
    shop.applyPlugin(
        shop.file("e2e/src/test/resources/quorum/plugin.yaml")
            .replace("quorum-v1.0.0", "guarded-v1.0.0")
            .replace("name: quorum\n", "name: guarded\n")
            .replace("afterUpgrade: snapshot", "beforeUpgrade: snapshot"));
    shop.apply(guarded("e2e/src/test/resources/quorum/app.yaml"));
    shop.awaitReady("locks");
    shop.annotatePods(FAULT + "=action-fails", GROUP + "-1");
    // When
    shop.apply(guarded("e2e/src/test/resources/quorum/app-upgraded.yaml"));
    // Then
    var error = shop.awaitTask("locks", UPGRADE, "Failed").error();
    assertThat(error.reason()).isEqualTo("HookFailed");
    assertThat(error.message())
        .startsWith(
            "hook beforeUpgrade: action snapshot on pod %s-1 failed with exit code 3: it failed"
                .formatted(GROUP));
    assertThat(images()).containsOnly("docker.io/library/zookeeper:3.8");
    // When
    shop.annotatePods(FAULT + "-", GROUP + "-1");
    shop.annotate(
        "locks",
        Labels.RETRY_CONTROL,
        "{\"retryTaskIds\": [\"%s\"], \"resetDependencies\": true}".formatted(UPGRADE));
    // Then
    shop.awaitTask("locks", UPGRADE, "Done");
    assertThat(images()).containsOnly("docker.io/library/zookeeper:3.9");
  }

  private Yaml guarded(String file) {
    return shop.file(file).replace("name: quorum,", "name: guarded,");
  }

  private List<String> images() {
    return shop.pods("locks").stream()
        .map(pod -> pod.getSpec().getContainers().getFirst().getImage())
        .toList();
  }

  @Test
  void shouldKeepTheMajorityHoweverLargeTheBatch() {
    // Given
    var five =
        shop.file("e2e/src/test/resources/quorum/app.yaml")
            .replace("replicas: 3", "replicas: " + MEMBERS)
            .replace("  components:", "  change: {batchSize: " + MEMBERS + "}\n  components:");
    shop.apply(five);
    shop.awaitReady("locks");
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When
      shop.apply(five.replace("\"3.8\"", "\"3.9\""));
      // Then
      shop.awaitReady("locks");
      assertThat(diary.firstTimes()).hasSize(2 * MEMBERS);
      assertThat(mostDown(diary.firstTimes())).isBetween(1, MEMBERS / 2);
    }
  }

  private static int mostDown(List<String> diary) {
    var down = 0;
    var most = 0;
    for (var line : diary) {
      down += line.endsWith(" leaves") ? 1 : -1;
      most = Math.max(most, down);
    }
    return most;
  }

  private void awaitRoles(String... wanted) {
    await("roles")
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(roles()).containsExactly(wanted));
  }

  /** By number of the pod. */
  private List<String> roles() {
    return shop
        .client
        .resources(Group.class)
        .inNamespace(shop.namespace)
        .withName(GROUP)
        .get()
        .getStatus()
        .nodes()
        .stream()
        .map(Node::role)
        .toList();
  }
}
