package io.middleware.engine.watcher;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.middleware.engine.process.servers.LocalCluster;
import java.util.Set;
import java.util.function.Consumer;

/** The operator framework with one reconciler, in the namespace of a test. */
public final class LocalOperator implements AutoCloseable {
  private static final int RETRY_MILLIS = 100;

  private final Operator operator;

  private LocalOperator(Operator operator) {
    this.operator = operator;
  }

  /** Returns once the first lists are complete. */
  public static <P extends HasMetadata> LocalOperator start(
      LocalCluster cluster, Reconciler<P> reconciler) {
    return start(cluster, reconciler, controller -> {});
  }

  /** The same, configured further. */
  public static <P extends HasMetadata> LocalOperator start(
      LocalCluster cluster,
      Reconciler<P> reconciler,
      Consumer<ControllerConfigurationOverrider<P>> configure) {
    var operator =
        new Operator(
            options ->
                options
                    .withKubernetesClient(cluster.client())
                    .withCloseClientOnStop(false)
                    .withResourceCloner(new NoCopyCloner()));
    operator.register(
        reconciler,
        controller -> {
          configure.accept(controller);
          controller
              .settingNamespaces(Set.of(cluster.namespace()))
              .withRetry(
                  new GenericRetry()
                      .setInitialInterval(RETRY_MILLIS)
                      .setMaxInterval(RETRY_MILLIS)
                      .withoutMaxAttempts());
        });
    operator.start();
    return new LocalOperator(operator);
  }

  @Override
  public void close() {
    operator.stop();
  }
}
