package io.middleware.engine.agent.server;

import static java.util.stream.Collectors.toMap;

import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.OutdatedSecret;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.Reloaded;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Puts parameters into force. Before, it waits until the files of the pod have the Secrets that the
 * engine means. When they get another value than that, the Secret has changed meanwhile, and that
 * of the engine may never come: the wait ends, and the engine asks again with what the Secret says
 * then. It ends as well after a while without any change.
 */
final class ReloadAction implements OperationRegistry.Action<ReloadResponse> {
  /** Between two looks at the files of the pod. */
  private static final Duration LOOK = Duration.ofMillis(500);

  private final Driver driver;
  private final ReloadRequest request;
  private final long looks;

  /**
   * @param limit of the wait for Secrets
   */
  ReloadAction(Driver driver, ReloadRequest request, Duration limit) {
    this.driver = driver;
    this.request = request;
    this.looks = limit.dividedBy(LOOK);
  }

  @Override
  public void prepare(ProgressSink progress) throws InterruptedException {
    var outdated = outdated();
    for (var look = 0L; look < looks && outdated.isPresent(); look++) {
      var before = outdated.get();
      progress.report("waiting for the changed " + before.parameter() + " in the pod's files", 0);
      Thread.sleep(LOOK);
      outdated = outdated();
      if (outdated.filter(now -> now.replaces(before)).isPresent()) {
        return; // the Secret has changed again
      }
    }
  }

  @Override
  public ReloadResponse run(ProgressSink progress) throws InterruptedException {
    var outdated = outdated();
    var done =
        outdated.isPresent()
            ? Reloaded.newBuilder().addNotInForce(outdated.get().parameter()).build()
            : reloaded(driver.reload(request.getParametersMap(), progress));
    return ReloadResponse.newBuilder().setDone(done).build();
  }

  private Optional<OutdatedSecret> outdated() {
    return driver.outdatedSecret(request.getSalt(), request.getDigestsMap());
  }

  private Reloaded reloaded(Map<String, String> inForce) {
    var parameters = request.getParametersMap();
    var confirmed =
        parameters.keySet().stream()
            .collect(toMap(Function.identity(), name -> inForce.getOrDefault(name, "")));
    return Reloaded.newBuilder()
        .setChecksum(ParameterChecksum.of(confirmed))
        .addAllNotInForce(
            parameters.keySet().stream()
                .filter(name -> !parameters.get(name).equals(confirmed.get(name)))
                .sorted()
                .toList())
        .build();
  }
}
