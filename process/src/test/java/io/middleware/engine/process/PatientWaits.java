package io.middleware.engine.process;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What a test waits for may take long, as others run beside it: how long it takes is for the
 * benchmark to say. A wait that says no time ends after this one; no test that passes is slower by
 * it. JUnit finds this extension by itself.
 */
public final class PatientWaits implements BeforeAllCallback {
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(PATIENCE);
  }
}
