package io.middleware.engine.process.servers;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;

/** Gives the constructor of a test class the {@link LocalTemporal} of all classes. */
public final class OnTemporal extends LocalServerExtension {

  public OnTemporal() {
    super(ServerBinary.TEMPORAL);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalTemporal.class;
  }

  @Override
  public LocalTemporal resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return once(context, LocalTemporal.class, LocalTemporal::new);
  }
}
