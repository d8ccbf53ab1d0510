package io.middleware.engine.e2e.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.Event;
import io.middleware.engine.e2e.AuditLog;
import io.middleware.engine.e2e.Disruptive;
import io.middleware.engine.e2e.EndToEnd;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.InTurn;
import io.middleware.engine.e2e.PodDiary;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Trials;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import io.middleware.engine.proof.Proves;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Only in {@code dev/test --long}: real members of etcd are killed at random moments, and worker,
 * watcher and agents as well, while the App changes and is written to; or a member hangs. {@code
 * -Dkills=100} for more kills than the default; {@code -Dseed=} the number that is printed makes
 * the same choices again.
 */
@Proves(
    plugin = "etcd",
    versions = {"etcd 3.6", "etcd 3.7"},
    what =
        "With --long, kills of engine, agents and members lose no confirmed write, and the engine takes one member away at a time.")
@EndToEnd
@Disruptive("kills worker, watcher, agents and members of etcd")
@InTurn(0)
class EtcdKillE2E {
  private static final String APP = "keys";
  private static final int KILLS = Integer.getInteger("kills", Trials.of(0, 20));
  private static final long SEED = Long.getLong("seed", System.currentTimeMillis());
  private static final Duration HANGS = Duration.ofSeconds(Integer.getInteger("hang", 0));
  private static final int KILLS_OF_ONE_CHANGE = 4;
  private static final int LONGEST_PAUSE_MILLIS = 3000;
  private static final String MEMBER = "member";
  private static final List<String> VICTIMS =
      List.of("worker", "watcher", "simulator", MEMBER); // all agents are in the simulator

  private final Random random = new Random(SEED);
  private final Shop shop;
  private int killed;

  EtcdKillE2E(Shop shop) {
    this.shop = shop;
  }

  @BeforeEach
  void deploy() {
    DeployedRedisGroup.assumeReal();
    assumeTrue(KILLS > 0, "only in dev/test --long, or with -Dkills=20");
    shop.applyPlugin(shop.file("plugins/etcd/plugin.yaml"));
    shop.apply(app("3.6", 3, 2));
    shop.awaitReady(APP);
  }

  @Test
  void shouldEndEachChangeAsIfNothingHadBeenKilled() throws InterruptedException {
    // Given
    System.out.printf("%d kills, -Dseed=%d%n", KILLS, SEED);
    var first = List.of(app("3.6", 3, 4), app("3.6", 4, 4), app("3.7", 4, 4), app("3.7", 3, 4));
    var audit = AuditLog.fromNow();
    var next = List.of(app("3.7", 3, 2), app("3.7", 4, 2), app("3.7", 3, 2), app("3.7", 3, 4));
    try (var writer = new EtcdWriter(this::addresses);
        var sampler = new EtcdSampler(shop, APP)) {
      writer.start();
      sampler.start();
      // When
      for (var changes = 0; killed < KILLS; changes++) {
        change(
            changes < first.size() ? first.get(changes) : next.get(changes % next.size()), sampler);
      }
      // Then
      audit.in(shop.namespace).stream()
          .filter(it -> it.isByEngine() && it.resource().equals("pods/eviction"))
          .forEach(it -> System.out.println(it.at() + " evicts " + it.name() + ": " + it.code()));
      assertThat(sampler.mostDown()).hasSizeLessThanOrEqualTo(1);
      assertThat(sampler.lostByTheEngine()).isZero();
      var lost = writer.lost();
      System.out.printf(
          "%d kills: %d writes confirmed, %d lost%n",
          killed, writer.confirmed().size(), lost.size());
      assertThat(writer.confirmed()).hasSizeGreaterThan(10);
      assertThat(lost).isEmpty();
    }
  }

  @Test
  void shouldStopNoMemberWhileAnotherOneHangs() throws InterruptedException {
    // Given a change that is paused, with a member that is up to date
    var edited = app("3.6", 3, 4);
    var audit = AuditLog.fromNow();
    shop.apply(edited);
    await("a member").atMost(Shop.PATIENCE).until(() -> !audit.restarts(shop.namespace).isEmpty());
    shop.apply(edited.replace("spec:\n", "spec:\n  paused: true\n"));
    shop.awaitApp(APP, app -> "Paused".equals(app.getStatus().phase()));
    shop.awaitQuiet();
    var replaced = audit.restarts(shop.namespace);
    assertThat(replaced).hasSizeLessThan(3);
    var pod = shop.client.pods().inNamespace(shop.namespace).withName(replaced.getFirst());
    var pid = DeployedRedisGroup.pid(pod.require(), "etcd");
    try (var diary = new PodDiary(shop.client, shop.namespace)) {
      // When it hangs, and the change goes on
      Engine.run(List.of("kill", "-STOP", pid));
      shop.apply(edited);
      // Then
      await("reason")
          .atMost(Shop.PATIENCE)
          .untilAsserted(() -> assertThat(reasons()).contains(replaced.getFirst()));
      Thread.sleep(HANGS);
      System.out.println(reasons());
      assertThat(diary.lines()).isEmpty();
    } finally {
      Engine.run(List.of("kill", "-CONT", pid));
    }
    shop.awaitReady(APP);
    assertThat(audit.restarts(shop.namespace)).hasSize(3).doesNotHaveDuplicates();
  }

  private void change(Yaml edited, EtcdSampler sampler) throws InterruptedException {
    shop.apply(edited);
    var until = Math.min(killed + KILLS_OF_ONE_CHANGE, KILLS);
    while (killed < until) {
      Thread.sleep(random.nextInt(LONGEST_PAUSE_MILLIS));
      if (isOver()) {
        break;
      }
      kill(VICTIMS.get(random.nextInt(VICTIMS.size())), sampler);
    }
    await("the end").atMost(Shop.PATIENCE).until(this::isOver);
    shop.awaitReady(APP);
  }

  private void kill(String victim, EtcdSampler sampler) {
    if (victim.equals(MEMBER)) {
      var pods = shop.pods(APP);
      try {
        sampler.kill(pods.get(random.nextInt(pods.size())));
      } catch (IllegalStateException | NoSuchElementException | UncheckedIOException e) {
        return; // it does not run just now
      }
    } else {
      Engine.kill(victim);
    }
    killed++;
    System.out.printf("kill %d: %s%n", killed, victim);
  }

  private boolean isOver() {
    var app = shop.app(APP);
    var change = app.getStatus().change();
    return app.getMetadata().getGeneration().equals(change.generation())
        && change.outcome() != null;
  }

  private Yaml app(String version, int replicas, int quota) {
    return shop.file("plugins/etcd/app.yaml")
        .replaceFirst("(?m)^  backup: .*\\n", "")
        .replace("\"3.6\"", "\"%s\"".formatted(version))
        .replace("replicas: 3", "replicas: " + replicas)
        .replace(
            "  - name: etcd\n",
            "  - name: etcd\n    values: {quota-backend-bytes: %d}\n"
                .formatted(((long) quota) << 30));
  }

  /** What the gate has said; once the pod that hangs is known not to be ready, the App says so. */
  private String reasons() {
    var gate = shop.events(APP, "StopRefused").stream().map(Event::getMessage).toList();
    return gate
        + "; "
        + Shop.condition(shop.app(APP), "Ready").map(Condition::getMessage).orElse("");
  }

  private List<String> addresses() {
    return shop.pods(APP).stream()
        .map(pod -> pod.getStatus().getPodIP())
        .filter(Objects::nonNull)
        .toList();
  }
}
