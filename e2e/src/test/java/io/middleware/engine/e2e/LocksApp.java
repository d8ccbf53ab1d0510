package io.middleware.engine.e2e;

import io.middleware.engine.api.operation.OperationStatus;
import java.util.List;

/**
 * The App {@code locks} of the Plugin {@code quorum}, in a version of its own, and its action
 * {@code report}, which is not exclusive and may hang for long.
 */
public final class LocksApp {
  public static final String NAME = "locks";

  /** The pods of ZooKeeper 3.9 cannot pull their image until this annotation is removed. */
  public static final String HANGING = "local.middleware.io/fault";

  private static final String VERSION = "1.0.9";
  private static final String SELECTOR = "middleware.io/app=" + NAME;

  private final Shop shop;

  public LocksApp(Shop shop) {
    this.shop = shop;
  }

  /** Has it Ready. */
  public void deploy() {
    shop.applyPlugin(
        shop.file("e2e/src/test/resources/quorum/plugin.yaml")
            .replace("quorum-v1.0.0", "quorum-v" + VERSION)
            .replace("  version: 1.0.0", "  version: " + VERSION)
            .replace("      timeout: 1m\n", "      timeout: 10m\n")
            .replace(
                "quorum.middleware.io/members:",
                HANGING
                    + ": \"${runtime.version == '3.9' ? optional.of('image-pull') : optional.none()}\"\n"
                    + " ".repeat(16)
                    + "quorum.middleware.io/members:"));
    shop.apply(yaml("app.yaml"));
    shop.awaitReady(NAME);
  }

  /** A sample App of the Plugin. */
  public Yaml yaml(String file) {
    return shop.file("e2e/src/test/resources/quorum/" + file)
        .replace("{name: quorum, version: 1.0.0}", "{name: quorum, version: " + VERSION + "}");
  }

  /** The action as an Operation of this name. */
  public AppOperation report(String name) {
    return new AppOperation(shop, name, "report", NAME);
  }

  /** Id of the workflow of an Operation. */
  public String workflow(String operation) {
    return "op/%s/%s".formatted(shop.namespace, operation);
  }

  /** Sets this fault on all agents. */
  public void faulty(String fault) {
    shop.annotatePods("agent.local.middleware.io/fault=" + fault, "-l", SELECTOR);
  }

  /** Waits until an Operation has begun on a pod. */
  public static OperationStatus awaitRunning(AppOperation operation) {
    return operation.awaits(it -> it.runs() != null && !it.runs().isEmpty());
  }

  /** Ends the workflow of an Operation in this way, as an operator does. */
  public void end(String operation, String way) {
    Engine.run(List.of("temporal", "workflow", way, "-w", workflow(operation)));
  }
}
