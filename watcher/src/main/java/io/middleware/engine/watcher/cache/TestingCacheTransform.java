package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestStatus;

/** Reduces tests to how far they are: their manifests may be large. */
public final class TestingCacheTransform {
  private TestingCacheTransform() {}

  public static void reduce(IntegrationTest test) {
    ObjectMetaCacheTransform.reduce(test);
    if (test.getSpec() != null) {
      test.setSpec(spec(test.getSpec()));
    }
    if (test.getStatus() != null) {
      test.setStatus(status(test.getStatus()));
    }
  }

  private static IntegrationTestSpec spec(IntegrationTestSpec spec) {
    return new IntegrationTestSpec(
        null, null, null, null, null, null, spec.ttlSecondsAfterFinished(), spec.cancel());
  }

  private static IntegrationTestStatus status(IntegrationTestStatus status) {
    return new IntegrationTestStatus(
        shared(status.phase()),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        status.runId(),
        null,
        status.completedAt(),
        null,
        null);
  }

  public static void reduce(LoadTest test) {
    ObjectMetaCacheTransform.reduce(test);
    if (test.getSpec() != null) {
      test.setSpec(spec(test.getSpec()));
    }
    if (test.getStatus() != null) {
      test.setStatus(status(test.getStatus()));
    }
  }

  private static LoadTestSpec spec(LoadTestSpec spec) {
    return new LoadTestSpec(
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        spec.suspend(),
        spec.ttlSecondsAfterFinished(),
        spec.cancel());
  }

  private static LoadTestStatus status(LoadTestStatus status) {
    return new LoadTestStatus(
        shared(status.phase()),
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        status.runId(),
        null,
        null,
        status.completedAt());
  }
}
