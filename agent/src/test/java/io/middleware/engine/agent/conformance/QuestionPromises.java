package io.middleware.engine.agent.conformance;

import static io.grpc.Status.Code.FAILED_PRECONDITION;
import static io.grpc.Status.Code.UNAVAILABLE;
import static io.middleware.engine.agent.conformance.CheckedAgent.answer;
import static io.middleware.engine.agent.conformance.CheckedAgent.fails;
import static io.middleware.engine.agent.conformance.Promise.notApplicable;
import static io.middleware.engine.agent.conformance.Promise.require;

import com.google.protobuf.Message;
import io.grpc.Context;
import io.grpc.StatusRuntimeException;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.MeasureRequest;
import io.middleware.engine.proto.tool.v1.PersistRequest;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ResumeRequest;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import io.middleware.engine.proto.tool.v1.StopActionRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.WatchRoleRequest;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What {@code ToolInvoker} promises of questions, and of calls for another pod. */
final class QuestionPromises {
  private static final Pattern ROLE = Pattern.compile("[^\\sA-Z]{0,63}");
  private static final int LONGEST_MEASUREMENT = 256;
  private static final int AT_ONCE = 16;

  /** Of a pod that is there no longer. */
  private static final String ANOTHER = "another-pod-0";

  private final CheckedAgent agent;

  QuestionPromises(CheckedAgent agent) {
    this.agent = agent;
  }

  Stream<Promise> all() {
    return Stream.of(roles(), measurements(), anotherPod()).flatMap(promises -> promises);
  }

  private Stream<Promise> roles() {
    return Stream.of(
        new Promise("GetRole answers a role, or UNAVAILABLE", () -> isRole(role(agent.pod()))),
        new Promise("GetRole answers for a pod that is not named", () -> isRole(role(""))),
        new Promise(
            "GetRole ignores fields that it does not know",
            () ->
                isRole(
                    answer(
                        () ->
                            agent
                                .questionsOf()
                                .getRole(
                                    GetRoleRequest.newBuilder()
                                        .setUnknownFields(OrderPromises.ofTheFuture())
                                        .build())
                                .getRole()))),
        new Promise("WatchRole sends the role, or why it is not known, at once", this::watchedRole),
        new Promise("GetRole may be asked several times at once", this::rolesAtOnce),
        new Promise("GetRole may be abandoned", this::abandonedRole),
        new Promise("GetRole says UNAVAILABLE for a pod that was recreated", this::recreatedPod));
  }

  private String role(String pod) throws Exception {
    var request = GetRoleRequest.newBuilder().setPodName(pod).build();
    return answer(() -> agent.questionsOf().getRole(request).getRole());
  }

  private static void isRole(String role) {
    require(
        ROLE.matcher(role).matches(),
        "its role is '%s', but must be in lower case and have at most 63 characters",
        role);
  }

  /** The call of a client that looks at its first message, and ends it. */
  private void watchedRole() throws Exception {
    var request = WatchRoleRequest.newBuilder().setPodName(agent.pod()).build();
    var call = Context.current().withCancellation();
    try {
      var first = answer(() -> call.call(() -> agent.questionsOf().watchRole(request).next()));
      isRole(first.getRole());
    } finally {
      call.cancel(null);
    }
  }

  private void rolesAtOnce() throws Exception {
    var answers = new ArrayList<Future<String>>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 0; i < AT_ONCE; i++) {
        answers.add(callers.submit(() -> role(agent.pod())));
      }
    }
    for (var one : answers) {
      try {
        isRole(one.get());
      } catch (ExecutionException e) {
        throw e.getCause() instanceof RuntimeException why ? why : e;
      }
    }
  }

  private void abandonedRole() throws Exception {
    var call = Context.current().withCancellation();
    Thread.startVirtualThread(call.wrap(this::askAndForget));
    call.cancel(null);
    isRole(role(agent.pod()));
  }

  private void askAndForget() {
    try {
      agent.questionsOf().getRole(GetRoleRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      require(e.getStatus() != null, "a call ends with a status");
    }
  }

  private Stream<Promise> measurements() {
    return Stream.concat(
        Stream.of(
            new Promise(
                "Measure refuses a question that it does not know",
                () -> fails(() -> measure("agent-check-unknown"), FAILED_PRECONDITION))),
        agent.questions().stream()
            .map(
                question ->
                    new Promise(
                        "Measure answers '%s' with at most 256 characters".formatted(question),
                        () -> isMeasurement(answer(() -> measure(question))))));
  }

  private String measure(String question) {
    var request = MeasureRequest.newBuilder().setPodName(agent.pod()).setQuestion(question).build();
    return agent.questionsOf().measure(request).getAnswer();
  }

  private static void isMeasurement(String text) {
    require(
        !text.isEmpty() && text.length() <= LONGEST_MEASUREMENT,
        "its answer has %d characters, but must have 1 to 256",
        text.length());
  }

  /** No call does anything: the address may belong to another pod by now. */
  private Stream<Promise> anotherPod() {
    return Stream.concat(questionsForAnotherPod(), actionsForAnotherPod());
  }

  private Stream<Promise> questionsForAnotherPod() {
    return Stream.of(
        another(
            "GetRole", () -> agent.questionsOf().getRole(of(GetRoleRequest.newBuilder()).build())),
        another(
            "WatchRole",
            () -> agent.questionsOf().watchRole(of(WatchRoleRequest.newBuilder()).build()).next()),
        another(
            "Measure", () -> agent.questionsOf().measure(of(MeasureRequest.newBuilder()).build())),
        another(
            "Resume", () -> agent.questionsOf().resume(of(ResumeRequest.newBuilder()).build())));
  }

  private Stream<Promise> actionsForAnotherPod() {
    var switchover = of(SwitchoverRequest.newBuilder()).build();
    var reload = of(ReloadRequest.newBuilder()).build();
    var drain = of(DrainRequest.newBuilder()).build();
    var persist = of(PersistRequest.newBuilder()).build();
    var run = of(RunActionRequest.newBuilder()).build();
    var stop = of(StopActionRequest.newBuilder()).build();
    return Stream.of(
        another("Switchover", () -> agent.questionsOf().switchover(switchover).next()),
        another("Reload", () -> agent.questionsOf().reload(reload).next()),
        another("Drain", () -> agent.questionsOf().drain(drain).next()),
        another("Persist", () -> agent.questionsOf().persist(persist).next()),
        another("RunAction", () -> agent.questionsOf().runAction(run).next()),
        another("StopAction", () -> agent.questionsOf().stopAction(stop).next()));
  }

  /** All requests have the name of the pod, and those of actions an id. */
  private static <T extends Message.Builder> T of(T request) {
    var fields = request.getDescriptorForType();
    request.setField(fields.findFieldByName("pod_name"), ANOTHER);
    var id = fields.findFieldByName("operation_id");
    if (id != null) {
      request.setField(id, CheckedAgent.newId());
    }
    return request;
  }

  /** An agent need not know the uid of its pod. */
  private void recreatedPod() throws Exception {
    if (agent.pod().isEmpty()) {
      throw notApplicable("the name of the agent's pod is needed: give it with --pod NAME");
    }
    var request =
        GetRoleRequest.newBuilder().setPodName(agent.pod()).setPodUid("agent-check-uid").build();
    try {
      agent.questionsOf().getRole(request);
    } catch (StatusRuntimeException e) {
      require(
          e.getStatus().getCode() == UNAVAILABLE,
          "it fails with %s, but must fail with UNAVAILABLE",
          e.getStatus());
      return;
    }
    throw notApplicable("the agent does not know the uid of its pod");
  }

  private Promise another(String method, Callable<?> call) {
    return new Promise(
        method + " does nothing for another pod, and says UNAVAILABLE",
        () -> {
          if (agent.pod().isEmpty()) {
            throw notApplicable("the name of the agent's pod is needed: give it with --pod NAME");
          }
          fails(call, UNAVAILABLE);
        });
  }
}
