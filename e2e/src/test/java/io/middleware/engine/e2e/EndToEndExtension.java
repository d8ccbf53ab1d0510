package io.middleware.engine.e2e;

import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests what they work with: a {@link Shop} (a namespace of its own) and {@link Temporal}.
 * Each is made when it is first asked for, and closed after the test, or after all tests of the
 * class when a method before all tests asked for it. When a test fails, the status of its Apps is
 * printed.
 */
final class EndToEndExtension implements ParameterResolver, AfterTestExecutionCallback {
  private static final Namespace STORE = Namespace.create(EndToEndExtension.class);
  private static final Map<Class<?>, Supplier<AutoCloseable>> SUPPLIERS =
      Map.of(Shop.class, Shop::new, Temporal.class, Temporal::new);

  /** What a constructor asks for lives as long as its one test. */
  @Override
  public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
    return ExtensionContextScope.TEST_METHOD;
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return SUPPLIERS.containsKey(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getStore(STORE)
        .computeIfAbsent(parameter.getParameter().getType(), type -> SUPPLIERS.get(type).get());
  }

  @Override
  public void afterTestExecution(ExtensionContext context) {
    var shop = context.getStore(STORE).get(Shop.class, Shop.class);
    if (shop != null && context.getExecutionException().isPresent()) {
      System.out.println(context.getDisplayName() + " failed: " + shop.statuses());
    }
  }
}
