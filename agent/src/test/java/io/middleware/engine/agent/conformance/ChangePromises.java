package io.middleware.engine.agent.conformance;

import static io.middleware.engine.agent.conformance.CheckedAgent.answer;
import static io.middleware.engine.agent.conformance.CheckedAgent.newId;
import static io.middleware.engine.agent.conformance.Promise.notApplicable;
import static io.middleware.engine.agent.conformance.Promise.require;

import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.PersistRequest;
import io.middleware.engine.proto.tool.v1.PersistResponse;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.Reloaded;
import io.middleware.engine.proto.tool.v1.ResumeRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What {@code ToolInvoker} promises of the actions that change a pod. */
final class ChangePromises {
  private final CheckedAgent agent;

  ChangePromises(CheckedAgent agent) {
    this.agent = agent;
  }

  Stream<Promise> all() {
    return Stream.of(
        promise("Reload answers the checksum of the values in force", this::reload),
        promise("Reload of no parameters answers the checksum of none", this::reloadNothing),
        promise("Switchover of a pod that is not primary succeeds at once", this::switchover),
        promise("Drain of a pod that is not primary ends", this::drain),
        promise("Persist ends, and Resume ends its pause", this::persist),
        promise("Resume changes nothing without a pause", this::resume));
  }

  private Promise promise(String name, Promise.Check check) {
    return new Promise(
        name,
        () -> {
          agent.mayChange();
          check.run();
        });
  }

  private void reload() throws Exception {
    var id = newId();
    var reloaded = reloaded(id, agent.parameters());
    var inForce = reloaded.getChecksum().equals(checksum(agent.parameters()));
    require(
        !inForce || reloaded.getNotInForceList().isEmpty(),
        "the checksum is that of the request, but %s are not in force",
        reloaded.getNotInForceList());
    require(
        reloaded.getChecksum().matches("[0-9a-f]{64}"),
        "its checksum '%s' is no SHA-256 in lower case",
        reloaded.getChecksum());
    require(
        agent.parameters().keySet().containsAll(reloaded.getNotInForceList()),
        "not in force are %s, which were not asked for",
        reloaded.getNotInForceList());
    require(
        inForce,
        "the parameters %s are not in force; give others to --reload if the pod is right",
        agent.parameters());
    require(
        reloaded(id, agent.parameters()).equals(reloaded), "a repeated call has another result");
  }

  private void reloadNothing() throws Exception {
    require(
        reloaded(newId(), Map.of()).getChecksum().equals(checksum(Map.of())),
        "its checksum is not that of no lines");
  }

  private Reloaded reloaded(String id, Map<String, String> parameters) throws Exception {
    var request =
        ReloadRequest.newBuilder()
            .setPodName(agent.pod())
            .setOperationId(id)
            .putAllParameters(parameters)
            .build();
    return last(agent.calls().reload(request), ReloadResponse::hasDone).getDone();
  }

  private void switchover() throws Exception {
    notPrimary();
    var request =
        SwitchoverRequest.newBuilder().setPodName(agent.pod()).setOperationId(newId()).build();
    var first = last(agent.calls().switchover(request), SwitchoverResponse::hasDone);
    require(
        last(agent.calls().switchover(request), SwitchoverResponse::hasDone).equals(first),
        "a repeated call has another result");
  }

  private void drain() throws Exception {
    notPrimary();
    var request = DrainRequest.newBuilder().setPodName(agent.pod()).setOperationId(newId()).build();
    last(agent.calls().drain(request), DrainResponse::hasDone);
  }

  private void notPrimary() throws Exception {
    var request = GetRoleRequest.newBuilder().setPodName(agent.pod()).build();
    if (answer(() -> agent.questionsOf().getRole(request)).getRole().equals("primary")) {
      throw notApplicable("this pod is the primary: check the agent of another one");
    }
  }

  private void persist() throws Exception {
    for (var beforeEnd : new boolean[] {false, true, true}) {
      var request =
          PersistRequest.newBuilder()
              .setPodName(agent.pod())
              .setOperationId(newId())
              .setBeforeEnd(beforeEnd)
              .build();
      last(agent.calls().persist(request), PersistResponse::hasDone);
      resume();
    }
  }

  private void resume() throws Exception {
    var request = ResumeRequest.newBuilder().setPodName(agent.pod()).build();
    answer(() -> agent.questionsOf().resume(request));
  }

  private static <T> T last(Iterator<T> steps, Predicate<T> isDone) throws Exception {
    while (answer(steps::hasNext)) {
      var step = steps.next();
      if (isDone.test(step)) {
        require(!steps.hasNext(), "a message follows the result");
        return step;
      }
    }
    throw new Promise.BrokenException("the stream ends without a result");
  }

  private static String checksum(Map<String, String> parameters) throws Exception {
    var lines = new StringBuilder();
    new TreeMap<>(parameters)
        .forEach((name, value) -> lines.append(name).append('=').append(value).append('\n'));
    var digest = MessageDigest.getInstance("SHA-256");
    return HexFormat.of()
        .formatHex(digest.digest(lines.toString().getBytes(StandardCharsets.UTF_8)));
  }
}
