package io.middleware.engine.watcher.testing;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpecBuilder;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpecBuilder;
import io.middleware.engine.api.testing.LoadTestStatus;
import java.util.List;
import java.util.Map;

/** Tests of the namespace shop. */
public final class SampleTests {
  /** Of each kind, as somebody creates one of a name. */
  static final Map<Class<?>, String> YAML =
      Map.of(
          LoadTest.class,
          """
          metadata: {name: %s}
          spec:
            target: {apiVersion: middleware.io/v1, kind: App, name: cache}
            workload: [{apiVersion: batch/v1, kind: Job}]
            serviceAccountName: tester
          """,
          IntegrationTest.class,
          """
          metadata: {name: %s}
          spec: {steps: [{name: swap}], serviceAccountName: tester}
          """);

  private SampleTests() {}

  public static LoadTest loadTest() {
    return loadTest(false, null);
  }

  public static LoadTest suspended() {
    return loadTest(true, null);
  }

  public static LoadTest cancelled(LoadTest test) {
    var cancelled = loadTest(false, true);
    cancelled.setStatus(test.getStatus());
    return cancelled;
  }

  private static LoadTest loadTest(boolean suspend, Boolean cancel) {
    var test = new LoadTest();
    test.setMetadata(meta("benchmark"));
    test.setSpec(
        LoadTestSpecBuilder.builder()
            .serviceAccountName("tester")
            .suspend(suspend)
            .ttlSecondsAfterFinished(60)
            .cancel(cancel)
            .build());
    return test;
  }

  public static LoadTest deleted(LoadTest test) {
    test.getMetadata().setDeletionTimestamp("2026-11-21T09:59:00Z");
    return test;
  }

  /** One that a run has begun, and that has been checked seven times. */
  public static LoadTest begun(LoadTest test) {
    test.setStatus(status(LoadTestStatus.RUNNING, null));
    return test;
  }

  public static LoadTest ended(LoadTest test, String at) {
    test.setStatus(status(LoadTestStatus.PASSED, at));
    return test;
  }

  private static LoadTestStatus status(String phase, String completedAt) {
    return new LoadTestStatus(
        phase,
        "as it goes",
        null,
        "App cache",
        7,
        5,
        2,
        0,
        "2026-11-21T09:58:00Z",
        null,
        "load/shop/benchmark",
        "run-1",
        "2026-11-21T09:50:00Z",
        "2026-11-21T09:51:00Z",
        completedAt);
  }

  public static IntegrationTest integrationTest() {
    var test = new IntegrationTest();
    test.setMetadata(meta("upgrade"));
    test.setSpec(
        IntegrationTestSpecBuilder.builder()
            .steps(List.of())
            .serviceAccountName("tester")
            .ttlSecondsAfterFinished(60)
            .cancel(false)
            .build());
    return test;
  }

  /** One that a run has begun; two rounds have passed. */
  public static IntegrationTest begun(IntegrationTest test) {
    test.setStatus(
        new IntegrationTestStatus(
            IntegrationTestStatus.RUNNING,
            "as it goes",
            null,
            3,
            "3/20",
            "swap",
            2,
            0,
            "test/shop/upgrade",
            "run-1",
            "2026-11-21T09:50:00Z",
            null,
            List.of(),
            List.of()));
    return test;
  }

  private static ObjectMeta meta(String name) {
    return new ObjectMetaBuilder()
        .withName(name)
        .withNamespace("shop")
        .withUid("uid-" + name)
        .build();
  }
}
