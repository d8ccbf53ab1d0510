package io.middleware.engine.watcher;

import io.middleware.engine.log.ProcessOutput;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class WatcherLogIT {
  @Test
  void shouldHaveTheFormOfAllProcesses() throws IOException, InterruptedException {
    ProcessOutput.checkFailedStart(WatcherMain.class, "--watcher-http-address");
  }
}
