package io.middleware.engine.agent.server;

import io.middleware.engine.agent.driver.ActionOutput;
import io.middleware.engine.agent.driver.ActionRequest;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/** The messages of {@code RunAction}, to and from a driver. */
final class RunActionAnswer {
  private static final int MAX_OUTPUT_BYTES = 16 * 1024;

  private RunActionAnswer() {}

  static ActionRequest requested(RunActionRequest request) {
    return new ActionRequest(
        request.getAction(),
        request.getParametersMap(),
        Duration.ofSeconds(Integer.toUnsignedLong(request.getTimeoutSeconds())),
        Duration.ofSeconds(Integer.toUnsignedLong(request.getKillTimeoutSeconds())));
  }

  static RunActionResponse of(ActionOutput output) {
    return RunActionResponse.newBuilder()
        .setDone(
            io.middleware.engine.proto.tool.v1.ActionOutput.newBuilder()
                .setExitCode(output.exitCode())
                .setOutput(lastOf(output.output()))
                .putAllValues(output.values())
                .setTimedOut(output.timedOut()))
        .build();
  }

  /** Begins with a whole character. */
  private static String lastOf(String output) {
    var bytes = output.getBytes(StandardCharsets.UTF_8);
    var begin = Math.max(0, bytes.length - MAX_OUTPUT_BYTES);
    while (begin > 0 && begin < bytes.length && isContinuation(bytes[begin])) {
      begin++;
    }
    return new String(Arrays.copyOfRange(bytes, begin, bytes.length), StandardCharsets.UTF_8);
  }

  private static boolean isContinuation(byte b) {
    return (b & 0xC0) == 0x80;
  }
}
