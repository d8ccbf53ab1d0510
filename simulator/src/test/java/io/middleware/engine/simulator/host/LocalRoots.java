package io.middleware.engine.simulator.host;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;

/** Whether this machine allows containers a root of their own. */
final class LocalRoots {
  private LocalRoots() {}

  static boolean areAllowed() {
    try {
      return new ProcessBuilder("unshare", "--user", "--map-root-user", "--mount", "--uts", "true")
              .redirectErrorStream(true)
              .redirectOutput(Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException | InterruptedException e) {
      return false;
    }
  }
}
