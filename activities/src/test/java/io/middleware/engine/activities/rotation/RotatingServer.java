package io.middleware.engine.activities.rotation;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.common.hash.Hashing;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** A server with one password and its agent, whose files are older than the Secret for a while. */
final class RotatingServer {
  private static final Pattern PARAMETER = Pattern.compile("([a-z-]+)=([^,}]*)");

  final Set<String> accepted = ConcurrentHashMap.newKeySet();
  private final FakeAgent agent;
  private final Supplier<Map<String, String>> secret;

  /** Called with the step before each one; an IllegalStateException is its answer. */
  volatile Consumer<String> before = step -> {};

  /** How many questions come before its files follow a Secret that has changed. */
  int delay;

  private Map<String, String> files = Map.of();
  private int waited;

  /**
   * @param secret its values by key, at the moment
   */
  RotatingServer(FakeAgent agent, Supplier<Map<String, String>> secret) {
    this.agent = agent;
    this.secret = secret;
    this.files = secret.get();
    follow();
    agent.actions.put("rotate-passwords", this::answer);
  }

  private synchronized void answer(StreamObserver<RunActionResponse> to) {
    var asked = parameters();
    var step = asked.get("step");
    try {
      before.accept(step);
    } catch (IllegalStateException e) {
      to.onError(Status.FAILED_PRECONDITION.withDescription(e.getMessage()).asRuntimeException());
      return;
    }
    var now = secret.get();
    if (!now.equals(files) && waited++ >= delay) {
      files = now;
      waited = 0;
    }
    follow();
    var meant = asked.get("password").equals(digest(asked.get("salt")));
    if (meant && step.equals("retire")) {
      accepted.retainAll(new HashSet<>(files.values()));
    }
    var output =
        meant
            ? ActionOutput.getDefaultInstance()
            : ActionOutput.newBuilder().setExitCode(75).setOutput("old files").build();
    to.onNext(RunActionResponse.newBuilder().setDone(output).build());
    to.onCompleted();
  }

  private void follow() {
    accepted.addAll(files.values());
  }

  private String digest(String salt) {
    return Hashing.sha256()
        .hashString(
            String.join(
                "\0",
                salt,
                files.getOrDefault("password", ""),
                files.getOrDefault("password.next", ""),
                files.getOrDefault("password.previous", ""),
                ""),
            UTF_8)
        .toString();
  }

  private Map<String, String> parameters() {
    var parameters = new TreeMap<String, String>();
    PARAMETER
        .matcher(agent.calls.getLast())
        .results()
        .forEach(it -> parameters.put(it.group(1), it.group(2)));
    return parameters;
  }
}
