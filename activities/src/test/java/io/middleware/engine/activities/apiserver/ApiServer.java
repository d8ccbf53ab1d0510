package io.middleware.engine.activities.apiserver;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives the constructor of a test class a {@link TestCluster}: a namespace of its own on a real API
 * server, which is started once for all classes.
 *
 * <p>Where the servers have not been built the tests are skipped, and fail with {@code CI=true} or
 * {@code -Dservers=required}.
 */
public final class ApiServer implements ExecutionCondition, ParameterResolver {
  private static final Namespace STORE = Namespace.create(ApiServer.class);
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (ServerBinaries.find().isPresent()) {
      return ConditionEvaluationResult.enabled("etcd and kube-apiserver are built");
    }
    var missing =
        "no etcd and kube-apiserver of the pinned versions in %s: build them with dev/up"
            .formatted(ServerBinaries.cache());
    if (isRequired()) {
      throw new IllegalStateException(missing);
    }
    if (WARNED.compareAndSet(false, true)) {
      System.err.println("[WARNING] tests against a real API server are skipped: " + missing);
    }
    return ConditionEvaluationResult.disabled(missing);
  }

  private static boolean isRequired() {
    return "true".equals(System.getenv("CI")) || "required".equals(System.getProperty("servers"));
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == TestCluster.class;
  }

  @Override
  public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    var server =
        context
            .getRoot()
            .getStore(STORE)
            .computeIfAbsent(LocalApiServer.class, type -> start(), LocalApiServer.class);
    var namespace =
        server
            .client()
            .resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withGenerateName("test-")
                    .endMetadata()
                    .build())
            .create();
    return new TestCluster(server.client(), server.view(), namespace.getMetadata().getName());
  }

  private static LocalApiServer start() {
    try {
      return new LocalApiServer(ServerBinaries.find().orElseThrow());
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalStateException("the API server does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the API server starts", e);
    }
  }
}
