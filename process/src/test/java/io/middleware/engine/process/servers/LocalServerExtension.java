package io.middleware.engine.process.servers;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Starts a server when the first test class needs it. Where the server has not been built the tests
 * are skipped, and fail with {@code CI=true} or {@code -Dservers=required}.
 */
abstract class LocalServerExtension implements ExecutionCondition, ParameterResolver {
  private static final Namespace STORE = Namespace.create(LocalServerExtension.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  private final List<ServerBinary> needed;

  LocalServerExtension(ServerBinary... needed) {
    this.needed = List.of(needed);
  }

  @Override
  public final ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    var missing =
        needed.stream().filter(it -> it.find().isEmpty()).map(ServerBinary::file).toList();
    if (missing.isEmpty()) {
      return ConditionEvaluationResult.enabled("the servers are built");
    }
    var why =
        "no %s of the pinned version in %s: build it with dev/up"
            .formatted(String.join(" and ", missing), ServerBinary.cache());
    if (isRequired()) {
      throw new IllegalStateException(why);
    }
    if (WARNED.compareAndSet(false, true)) {
      System.err.println("[WARNING] tests against real servers are skipped: " + why);
    }
    return ConditionEvaluationResult.disabled(why);
  }

  private static boolean isRequired() {
    return "true".equals(System.getenv("CI")) || "required".equals(System.getProperty("servers"));
  }

  /** What is made once for all test classes, and closed after the last one. */
  protected static <T extends AutoCloseable> T once(
      ExtensionContext context, Class<T> type, Callable<T> start) {
    return context
        .getRoot()
        .getStore(STORE)
        .computeIfAbsent(type, key -> started(type, start), type);
  }

  private static <T> T started(Class<T> type, Callable<T> start) {
    try {
      return start.call();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it starts: " + type.getSimpleName(), e);
    } catch (Exception e) {
      throw new IllegalStateException("it does not start: " + type.getSimpleName(), e);
    }
  }
}
