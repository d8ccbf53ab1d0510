package io.middleware.engine.e2e;

import static org.awaitility.Awaitility.await;

import io.middleware.engine.api.operation.Operation;
import io.middleware.engine.api.operation.OperationStatus;
import java.time.Duration;
import java.util.function.Predicate;
import org.awaitility.core.ConditionTimeoutException;

/** An Operation on an App, as a user makes it; on {@code cache}, unless another one is named. */
public final class AppOperation {
  private final Shop shop;
  private final String name;
  private final String action;
  private final String app;

  public AppOperation(Shop shop, String name, String action) {
    this(shop, name, action, "cache");
  }

  public AppOperation(Shop shop, String name, String action, String app) {
    this.shop = shop;
    this.name = name;
    this.action = action;
    this.app = app;
  }

  public static AppOperation restart(Shop shop, String name) {
    return new AppOperation(shop, name, "Restart");
  }

  /** {@code kubectl apply} of the Operation. */
  public AppOperation apply() {
    return apply("");
  }

  /**
   * The same with further fields of the spec.
   *
   * @param fields in flow style, beginning with a comma
   */
  public AppOperation apply(String fields) {
    shop.apply(yaml(fields));
    return this;
  }

  public Yaml yaml(String fields) {
    return new Yaml(
        """
        apiVersion: middleware.io/v1
        kind: Operation
        metadata: {name: %s, namespace: %s}
        spec: {app: %s, action: %s%s}
        """
            .formatted(name, shop.namespace, app, action, fields));
  }

  public void delete() {
    shop.kubectl("", "delete", "operation", name, "-n", shop.namespace, "--wait=false");
  }

  public Operation now() {
    return shop.client.resources(Operation.class).inNamespace(shop.namespace).withName(name).get();
  }

  public OperationStatus status() {
    return now().getStatus();
  }

  /** Waits until it has ended, and is this. */
  public OperationStatus ends(String phase) {
    return awaits(
        status -> {
          if (status.completedAt() != null && !phase.equals(status.phase())) {
            throw new AssertionError(status.phase() + ": " + status.message());
          }
          return phase.equals(status.phase());
        });
  }

  public OperationStatus awaits(Predicate<OperationStatus> wanted) {
    var last = new OperationStatus[1];
    try {
      await("Operation " + name)
          .atMost(Shop.PATIENCE)
          .pollInterval(Duration.ofMillis(100))
          .until(
              () -> {
                last[0] = status();
                return last[0] != null && wanted.test(last[0]);
              });
    } catch (ConditionTimeoutException e) {
      throw new AssertionError("Operation %s is not as expected: %s".formatted(name, last[0]), e);
    }
    return last[0];
  }

  public void awaitGone() {
    await("Operation " + name + " gone").atMost(Shop.PATIENCE).until(() -> now() == null);
  }
}
