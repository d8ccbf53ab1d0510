package io.middleware.engine.watcher.cache;

import static io.middleware.engine.watcher.cache.ObjectMetaCacheTransform.shared;

import io.middleware.engine.api.testing.IntegrationTest;
import io.middleware.engine.api.testing.IntegrationTestSpec;
import io.middleware.engine.api.testing.IntegrationTestSpecBuilder;
import io.middleware.engine.api.testing.IntegrationTestStatus;
import io.middleware.engine.api.testing.IntegrationTestStatusBuilder;
import io.middleware.engine.api.testing.LoadTest;
import io.middleware.engine.api.testing.LoadTestSpec;
import io.middleware.engine.api.testing.LoadTestSpecBuilder;
import io.middleware.engine.api.testing.LoadTestStatus;
import io.middleware.engine.api.testing.LoadTestStatusBuilder;

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
    return IntegrationTestSpecBuilder.builder()
        .ttlSecondsAfterFinished(spec.ttlSecondsAfterFinished())
        .cancel(spec.cancel())
        .build();
  }

  private static IntegrationTestStatus status(IntegrationTestStatus status) {
    return IntegrationTestStatusBuilder.builder()
        .phase(shared(status.phase()))
        .runId(status.runId())
        .completedAt(status.completedAt())
        .build();
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
    return LoadTestSpecBuilder.builder()
        .suspend(spec.suspend())
        .ttlSecondsAfterFinished(spec.ttlSecondsAfterFinished())
        .cancel(spec.cancel())
        .build();
  }

  private static LoadTestStatus status(LoadTestStatus status) {
    return LoadTestStatusBuilder.builder()
        .phase(shared(status.phase()))
        .runId(status.runId())
        .completedAt(status.completedAt())
        .build();
  }
}
