package io.middleware.engine.watcher;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.middleware.engine.api.App;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BalancedMetricsTest {
  private final App app = new App();
  private final List<String> counted = new ArrayList<>();
  private final Metrics metrics =
      new BalancedMetrics(
          new Metrics() {
            @Override
            public void reconciliationStarted(HasMetadata object, Map<String, Object> metadata) {
              counted.add("started");
            }

            @Override
            public void reconciliationFinished(
                HasMetadata object, RetryInfo retry, Map<String, Object> metadata) {
              counted.add("finished");
            }
          });

  /** An object that is gone when its turn comes. */
  @Test
  void shouldBeginWhatOnlyFinishes() {
    metrics.reconciliationStarted(app, Map.of());
    metrics.reconciliationFinished(app, null, Map.of());
    assertThat(counted).containsExactly("started", "finished");

    metrics.reconciliationFinished(app, null, Map.of());
    assertThat(counted).containsExactly("started", "finished", "started", "finished");
  }
}
