package io.middleware.engine.e2e.redis;

import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.e2e.Engine;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Yaml;
import io.middleware.engine.e2e.redis.RedisCase.Situation;
import io.middleware.engine.e2e.redis.RedisCase.Trouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A case from the first pod to the last look at its data. */
final class RedisLife {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** A step that has stood still for this long has said why. */
  private static final Duration STANDSTILL = Duration.ofSeconds(40);

  private static final String CARRIED_OUT = "carried out";
  private static final int EARLY_KEYS = 300;
  private static final int LATE_KEYS = 100;
  private static final Duration SLOW_SAVE_OF_A_KEY = Duration.ofMillis(20);

  private final Shop shop;
  private final RedisCase chosen;
  private final Random random;
  private final String name;
  private final DeployedRedisGroup group;
  private final List<String> told = new ArrayList<>();
  private final Map<String, String> values = new TreeMap<>();
  private final Map<String, String> confirmed = new TreeMap<>();
  private String version = "7.0";
  private String plugin = "2.0.0";
  private String state = "Running";
  private int replicas;
  private volatile boolean claimDeleted;

  RedisLife(Shop shop, RedisCase chosen) {
    this.shop = shop;
    this.chosen = chosen;
    this.random = new Random(chosen.seed());
    this.name = "d" + chosen.seed();
    this.group = new DeployedRedisGroup(shop, name, "main");
    this.replicas = chosen.pods();
    values.put("appendonly", chosen.logged() ? "yes" : "no");
    if (chosen.situation() == Situation.OLDER_PLUGIN) {
      plugin = newerPlugin();
    }
  }

  static String newerPlugin() {
    return "2.0.9";
  }

  /** The Plugin under a later version, with nothing else changed. */
  static Yaml newer(Yaml plugin) {
    return plugin
        .replace("redis-v2.0.0", "redis-v" + newerPlugin())
        .replace("\n  version: 2.0.0\n", "\n  version: " + newerPlugin() + "\n");
  }

  /** Returns what was lost; empty if nothing was. */
  List<String> live() {
    try (group) {
      apply();
      shop.awaitReady(name);
      writeData();
      makeTrouble();
      var later = CompletableFuture.runAsync(this::strike);
      change();
      later.join();
      endTrouble();
      if (!claimDeleted) {
        comeBack();
      }
      var lost = lost();
      shop.client.resources(App.class).inNamespace(shop.namespace).withName(name).delete();
      return lost;
    }
  }

  /** What has happened to it so far. */
  String told() {
    return String.join("; ", told);
  }

  private void writeData() {
    var primary = group.primaryAddress();
    confirmed.putAll(RedisContent.write(primary, "early", EARLY_KEYS));
    RedisContent.confirm(primary, chosen.pods() - 1);
    RedisContent.save(primary);
    var late = RedisContent.write(primary, "late", LATE_KEYS);
    RedisContent.confirm(primary, chosen.pods() - 1);
    if (!chosen.mayLoseUnconfirmed()) {
      confirmed.putAll(late);
    }
  }

  private void makeTrouble() {
    switch (chosen.trouble()) {
      case SAVES_ARE_SLOW ->
          group
              .pods()
              .forEach(
                  pod -> RedisContent.slowSaves(pod.getStatus().getPodIP(), SLOW_SAVE_OF_A_KEY));
      case SAVES_FAIL -> claims().forEach(this::spoil);
      default -> {}
    }
  }

  /** No file can replace a folder that is not empty. */
  private void spoil(PersistentVolumeClaim claim) {
    try {
      var snapshot = folder(claim).resolve("dump.rdb");
      if (Files.exists(snapshot)) {
        Files.move(snapshot, kept(snapshot));
      }
      Files.createDirectories(snapshot.resolve("full"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void repair(PersistentVolumeClaim claim) {
    try {
      var snapshot = folder(claim).resolve("dump.rdb");
      Files.deleteIfExists(snapshot.resolve("full"));
      if (Files.isDirectory(snapshot)) {
        Files.delete(snapshot);
      }
      if (Files.exists(kept(snapshot)) && !Files.exists(snapshot)) {
        Files.move(kept(snapshot), snapshot);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path kept(Path snapshot) {
    return snapshot.resolveSibling("kept-by-the-test");
  }

  private static Path folder(PersistentVolumeClaim claim) {
    return Path.of(
        Engine.variable("INSTANCE_DIR"), "pods", "volumes", claim.getMetadata().getUid());
  }

  private List<PersistentVolumeClaim> claims() {
    return shop.client
        .persistentVolumeClaims()
        .inNamespace(shop.namespace)
        .withLabel(Labels.APP, name)
        .list()
        .getItems();
  }

  /** At the moment of the case, on a pod that is there. */
  private void strike() {
    rest(Duration.ofMillis(chosen.moment()));
    switch (chosen.trouble()) {
      case PROCESS_KILLED ->
          anyPod()
              .ifPresent(
                  pod -> attempt(() -> Engine.run(List.of("kill", "-KILL", killed(pod, "kill")))));
      case POD_DELETED ->
          anyPod().ifPresent(pod -> attempt(() -> shop.client.resource(pod).delete()));
      case CLAIM_DELETED ->
          claims().stream()
              .filter(this::isUsed)
              .skip(random.nextInt(chosen.pods()))
              .findFirst()
              .ifPresent(this::delete);
      default -> {}
    }
  }

  /** Otherwise nothing holds it any more, and it would be gone at once. */
  private boolean isUsed(PersistentVolumeClaim claim) {
    return group.pods().stream()
        .filter(pod -> !pod.isMarkedForDeletion())
        .anyMatch(pod -> claim.getMetadata().getName().endsWith("-" + pod.getMetadata().getName()));
  }

  private void delete(PersistentVolumeClaim claim) {
    claimDeleted = true;
    attempt(() -> shop.client.resource(claim).delete());
  }

  private String killed(Pod pod, String how) {
    note(how + " " + pod.getMetadata().getName());
    return DeployedRedisGroup.pid(pod);
  }

  private Optional<Pod> anyPod() {
    var pods = group.pods();
    return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(random.nextInt(pods.size())));
  }

  /** It may be gone by now. */
  private void attempt(Runnable deed) {
    try {
      deed.run();
    } catch (IllegalStateException | UncheckedIOException | KubernetesClientException e) {
      note("(" + e.getClass().getSimpleName() + ")");
    }
  }

  private void change() {
    switch (chosen.situation()) {
      case STOPPED -> {
        state = "Stopped";
        applyAndSettle();
        edit();
      }
      case NO_REPLICAS -> {
        replicas = 0;
        applyAndSettle();
        edit();
      }
      case WITH_A_RESTART -> {
        values.put("databases", "24");
        edit();
      }
      case WITH_AN_UPGRADE -> {
        version = "7.2";
        edit();
      }
      case NEWER_PLUGIN -> {
        plugin = newerPlugin();
        edit();
      }
      case OLDER_PLUGIN -> {
        plugin = "2.0.0";
        edit();
      }
      case RUNNING -> edit();
    }
  }

  /** An edit that is refused is taken back. */
  private void edit() {
    var before = Optional.ofNullable(values.put(chosen.parameter(), chosen.value()));
    if ("Rejected".equals(applyAndSettle())) {
      before.ifPresentOrElse(
          value -> values.put(chosen.parameter(), value), () -> values.remove(chosen.parameter()));
      applyAndSettle();
    }
  }

  private void comeBack() {
    state = "Running";
    replicas = chosen.pods();
    apply();
    await(name + " Ready")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> isCarriedOut() || retried());
  }

  private boolean retried() {
    if (ended().filter(outcome -> !outcome.equals("Succeeded")).isPresent()) {
      shop.annotate(name, Labels.RETRY_CONTROL, "{}");
    }
    return false;
  }

  private void endTrouble() {
    if (chosen.trouble() == Trouble.SAVES_FAIL) {
      claims().forEach(this::repair);
    }
  }

  /** Returns how the newest edit ended, or that it stands still. */
  private String applyAndSettle() {
    apply();
    var seen = new AtomicReference<>("");
    var last = new AtomicReference<>(new Words("", Instant.now()));
    await(name + " carried out, refused or standing still")
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(300))
        .until(
            () -> {
              var words = words();
              last.updateAndGet(
                  it -> it.text().equals(words) ? it : new Words(words, Instant.now()));
              seen.set(isCarriedOut() ? CARRIED_OUT : ended().orElse(last.get().standing()));
              return !seen.get().isEmpty() && !seen.get().equals("Succeeded");
            });
    note(seen.get().equals(CARRIED_OUT) ? CARRIED_OUT : seen + " (" + words() + ")");
    return seen.get();
  }

  /** What the status says, and since when. */
  private record Words(String text, Instant since) {
    String standing() {
      var stands = Duration.between(since, Instant.now()).compareTo(STANDSTILL) > 0;
      return stands && !text.isBlank() ? "stands still" : "";
    }
  }

  private String words() {
    var app = shop.app(name);
    return Stream.of("Stalled", "Ready")
        .map(type -> Shop.condition(app, type))
        .flatMap(Optional::stream)
        .map(condition -> condition.getReason() + ": " + condition.getMessage())
        .collect(Collectors.joining(", "));
  }

  private boolean isCarriedOut() {
    var app = shop.app(name);
    return Shop.condition(app, "Ready")
        .filter(ready -> ready.getStatus().equals("True"))
        .filter(ready -> app.getMetadata().getGeneration().equals(ready.getObservedGeneration()))
        .isPresent();
  }

  private Optional<String> ended() {
    var app = shop.app(name);
    return Optional.ofNullable(app.getStatus())
        .map(status -> status.change())
        .filter(change -> app.getMetadata().getGeneration().equals(change.generation()))
        .map(change -> change.outcome());
  }

  private List<String> lost() {
    var found = RedisContent.read(group.primaryAddress());
    return confirmed.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(found.get(entry.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private void apply() {
    var values = new ArrayList<String>();
    this.values.forEach(
        (parameter, value) ->
            values.add(
                "%s: %s"
                    .formatted(
                        parameter,
                        value.matches("\\d+") && !isText(parameter) ? value : '"' + value + '"')));
    note("%s %d x %s".formatted(state, replicas, version));
    shop.applyPlugin(
        new Yaml(
            """
            apiVersion: middleware.io/v1
            kind: App
            metadata: {name: %s, namespace: %s}
            spec:
              plugin: {name: redis, version: %s}
              runtime: {name: redis, version: "%s"}
              state: %s
              deletionPolicy: Delete
              components:
              - name: redis-nodes
                type: redis
                values: {%s}
                groups:
                - {name: main, replicas: %d, storage: {size: 1Gi}, resources: {requests: {cpu: 10m, memory: 32Mi}}}
            """
                .formatted(
                    name,
                    shop.namespace,
                    plugin,
                    version,
                    state,
                    String.join(", ", values),
                    replicas)));
  }

  /** Whether a number of it is text in the Plugin. */
  private static boolean isText(String parameter) {
    return parameter.equals("maxmemory");
  }

  private void note(String what) {
    told.add(what);
  }

  private static void rest(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
