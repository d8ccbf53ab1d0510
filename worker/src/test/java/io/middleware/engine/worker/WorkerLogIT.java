package io.middleware.engine.worker;

import io.middleware.engine.log.ProcessOutput;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class WorkerLogIT {
  @Test
  void shouldHaveTheFormOfAllProcesses() throws IOException, InterruptedException {
    ProcessOutput.checkFailedStart(WorkerMain.class, "--worker-http-address");
  }
}
