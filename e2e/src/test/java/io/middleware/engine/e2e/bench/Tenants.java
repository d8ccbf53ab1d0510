package io.middleware.engine.e2e.bench;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.middleware.engine.api.RunRequest;
import io.middleware.engine.api.backup.Backup;
import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.e2e.AppBackup;
import io.middleware.engine.e2e.LocalStore;
import io.middleware.engine.e2e.Shop;
import io.middleware.engine.e2e.Stopwatch;
import io.middleware.engine.e2e.redis.DeployedRedisGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * P21: an edit of one tenant until its first task is in progress, while another tenant has 300
 * Operations, 300 IntegrationTests and 300 Backups; P21.alone: the same without the other one.
 */
final class Tenants {
  private static final int OF_EACH = 300;
  private static final int APPS_OF_THE_CROWD = 30;
  private static final int EDITS = 15;
  private static final int WRITERS = 10;
  private static final List<Class<? extends CustomResource<?, ?>>> KINDS =
      List.of(Operation.class, IntegrationTest.class, Backup.class);

  private final Figures figures;

  Tenants(Figures figures) {
    this.figures = figures;
  }

  void run() throws Exception {
    try (var crowd = new Shop();
        var quiet = new Shop()) {
      apply(quiet, 2 * EDITS, i -> quiet.small("one-" + i).text());
      IntStream.range(0, 2 * EDITS).forEach(i -> quiet.awaitReady("one-" + i));
      figures.percentiles("P21.alone", begins(quiet, 0));
      deploy(crowd);
      begin(crowd);
      System.err.println("    open before: " + open(crowd));
      figures.percentiles("P21", begins(quiet, EDITS));
      System.err.println("    open after: " + open(crowd));
      end(crowd);
    }
  }

  private static List<Double> begins(Shop shop, int from) throws InterruptedException {
    var samples = new ArrayList<Double>();
    for (var i = from; i < from + EDITS; i++) {
      var app = "one-" + i;
      write(shop, shop.small(app).replace("\"7.0\"", "\"7.2\"").text());
      samples.add(Stopwatch.secondsUntil(app + " in progress", () -> hasBegun(shop, app)));
      Thread.sleep(1000);
    }
    System.err.println("    " + samples + ", load " + Machine.load());
    return samples;
  }

  private static boolean hasBegun(Shop shop, String app) {
    var status = shop.status(app);
    return status.change().generation() == 2
        && status.tasks().stream().anyMatch(task -> !task.status().equals("Pending"));
  }

  private static void deploy(Shop crowd) throws Exception {
    DeployedRedisGroup.assumeReal();
    crowd.applyPlugin(crowd.file("plugins/redis/plugin.yaml"));
    new LocalStore(crowd).inFolder();
    crowd.apply(AppBackup.app(crowd));
    crowd.apply(crowd.file("k8s/samples/tester.yaml").replace("shop", crowd.namespace));
    apply(crowd, APPS_OF_THE_CROWD, i -> crowd.small("busy-" + i).text());
    crowd.awaitReady("cache");
    IntStream.range(0, APPS_OF_THE_CROWD).forEach(i -> crowd.awaitReady("busy-" + i));
  }

  private static void begin(Shop crowd) throws Exception {
    apply(crowd, OF_EACH, i -> test(crowd, "test-" + i));
    apply(crowd, OF_EACH, i -> backup(crowd, "backup-" + i));
    apply(crowd, OF_EACH, i -> restart(crowd, "restart-" + i, "busy-" + i % APPS_OF_THE_CROWD));
  }

  private static String restart(Shop shop, String name, String app) {
    return """
    apiVersion: middleware.io/v1
    kind: Operation
    metadata: {name: %s, namespace: %s}
    spec: {app: %s, action: Restart}
    """
        .formatted(name, shop.namespace, app);
  }

  private static String backup(Shop shop, String name) {
    return """
    apiVersion: middleware.io/v1
    kind: Backup
    metadata: {name: %s, namespace: %s}
    spec: {app: cache}
    """
        .formatted(name, shop.namespace);
  }

  private static String test(Shop shop, String name) {
    return """
    apiVersion: test.middleware.io/v1
    kind: IntegrationTest
    metadata: {name: %1$s, namespace: %2$s}
    spec:
      serviceAccountName: tester
      steps:
      - name: stays
        timeout: 2h
        apply: [{apiVersion: v1, kind: ConfigMap, metadata: {name: %1$s}, data: {a: b}}]
        checks: [{name: stays, for: 1h, allOf: [{cel: "object('ConfigMap', '%1$s').data.a == 'b'"}]}]
    """
        .formatted(name, shop.namespace);
  }

  private static void apply(Shop shop, int count, IntFunction<String> yaml) throws Exception {
    try (var writers = Executors.newFixedThreadPool(WRITERS)) {
      for (var written :
          IntStream.range(0, count)
              .mapToObj(i -> writers.submit(() -> write(shop, yaml.apply(i))))
              .toList()) {
        written.get();
      }
    }
  }

  private static HasMetadata write(Shop shop, String yaml) {
    return shop.client.resource(yaml).fieldManager("bench").forceConflicts().serverSideApply();
  }

  /** How many of each have not ended. */
  private static List<Long> open(Shop shop) {
    return KINDS.stream()
        .map(kind -> shop.client.resources(kind).inNamespace(shop.namespace).list().getItems())
        .map(all -> all.stream().filter(it -> !((RunRequest<?, ?>) it).hasEnded()).count())
        .toList();
  }

  private static void end(Shop shop) {
    for (var kind : KINDS) {
      shop.client.resources(kind).inNamespace(shop.namespace).delete();
    }
  }
}
