package io.middleware.engine.e2e.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.middleware.engine.e2e.Engine;
import java.util.List;

/** Three real Sentinels that monitor a real replication group. */
record Sentinels(DeployedRedisGroup group) {
  private static final String PORT = "26379";
  private static final String GROUP = "cache-redis-nodes-main";

  /** All three watch the current primary, and know each other and nobody else. */
  void awaitAgreement() {
    await("Sentinels that agree")
        .ignoreExceptions()
        .untilAsserted(
            () -> {
              for (var number : List.of(0, 1, 2)) {
                assertThat(watchedBy(number)).isEqualTo(group.primary());
                assertThat(ask(number, "ckquorum")).startsWith("OK 3 usable Sentinels");
                assertThat(ask(number, "master"))
                    .contains("num-slaves\n2\n", "num-other-sentinels\n2\n");
              }
            });
  }

  String watchedBy(int number) {
    var host = ask(number, "get-master-addr-by-name").lines().findFirst().orElseThrow();
    return group.pods().stream()
        .filter(pod -> host.equals(pod.getStatus().getPodIP()))
        .map(pod -> pod.getMetadata().getName())
        .findFirst()
        .orElse(host);
  }

  String ask(int number, String question) {
    var ip = group.pod("cache-sentinel-all-" + number).getStatus().getPodIP();
    return Engine.run(List.of("redis-cli", "-h", ip, "-p", PORT, "sentinel", question, GROUP));
  }
}
