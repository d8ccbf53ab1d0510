package io.middleware.engine.agent.server;

import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.agent.driver.Driver;
import io.middleware.engine.agent.driver.ProgressSink;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.DrainResponse;
import io.middleware.engine.proto.tool.v1.Drained;
import io.middleware.engine.proto.tool.v1.GetRoleRequest;
import io.middleware.engine.proto.tool.v1.GetRoleResponse;
import io.middleware.engine.proto.tool.v1.MeasureRequest;
import io.middleware.engine.proto.tool.v1.MeasureResponse;
import io.middleware.engine.proto.tool.v1.PersistRequest;
import io.middleware.engine.proto.tool.v1.PersistResponse;
import io.middleware.engine.proto.tool.v1.Persisted;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.proto.tool.v1.ReloadRequest;
import io.middleware.engine.proto.tool.v1.ReloadResponse;
import io.middleware.engine.proto.tool.v1.ResumeRequest;
import io.middleware.engine.proto.tool.v1.ResumeResponse;
import io.middleware.engine.proto.tool.v1.RunActionRequest;
import io.middleware.engine.proto.tool.v1.RunActionResponse;
import io.middleware.engine.proto.tool.v1.StopActionRequest;
import io.middleware.engine.proto.tool.v1.StopActionResponse;
import io.middleware.engine.proto.tool.v1.Stopped;
import io.middleware.engine.proto.tool.v1.SwitchedOver;
import io.middleware.engine.proto.tool.v1.SwitchoverRequest;
import io.middleware.engine.proto.tool.v1.SwitchoverResponse;
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc.ToolInvokerImplBase;
import io.middleware.engine.proto.tool.v1.WatchRoleRequest;
import io.middleware.engine.proto.tool.v1.WatchRoleResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;

/** The service {@code ToolInvoker}: the role of a pod, and actions on it. */
final class ToolInvokerService extends ToolInvokerImplBase {
  /** Half the longest time that the protocol allows between two messages. */
  private static final Duration INTERVAL = Duration.ofSeconds(5);

  /** The engine's process may have been started again. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** The kubelet brings a changed Secret to the pod within about a minute. */
  private static final Duration SECRET_LIMIT = Duration.ofSeconds(90);

  private final ServedPod pod;
  private final AgentAnswers answers;
  private final Driver driver;
  private final RoleStream roles;
  private final OperationRegistry<SwitchoverResponse> switchovers;
  private final OperationRegistry<ReloadResponse> reloads;
  private final OperationRegistry<DrainResponse> drains;
  private final OperationRegistry<PersistResponse> persists;
  private final OperationRegistry<RunActionResponse> actions;

  ToolInvokerService(ServedPod pod, AgentAnswers answers) {
    this.pod = pod;
    this.answers = answers;
    this.driver = answers.driver();
    this.roles = new RoleStream(answers);
    var podLock = new ReentrantLock();
    this.switchovers =
        operations(podLock, p -> SwitchoverResponse.newBuilder().setProgress(p).build());
    this.reloads = operations(podLock, p -> ReloadResponse.newBuilder().setProgress(p).build());
    this.drains = operations(podLock, p -> DrainResponse.newBuilder().setProgress(p).build());
    this.persists =
        operations(
            podLock,
            p -> PersistResponse.newBuilder().setProgress(p).build(),
            Driver.LONGEST_PAUSE.dividedBy(2)); // its result is true as long as writes are paused
    this.actions =
        operations(new ReentrantLock(), p -> RunActionResponse.newBuilder().setProgress(p).build());
  }

  @Override
  public void getRole(GetRoleRequest request, StreamObserver<GetRoleResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            UnaryReply.send(
                observer,
                () ->
                    GetRoleResponse.newBuilder()
                        .setRole(answers.role())
                        .setProblem(answers.trouble())
                        .build()));
  }

  @Override
  public void watchRole(WatchRoleRequest request, StreamObserver<WatchRoleResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () -> roles.serve((ServerCallStreamObserver<WatchRoleResponse>) observer));
  }

  /** Calls that last until somebody ends them end soon. */
  void endWatches() {
    roles.end();
  }

  @Override
  public void measure(MeasureRequest request, StreamObserver<MeasureResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            UnaryReply.send(
                observer,
                () ->
                    MeasureResponse.newBuilder()
                        .setAnswer(driver.measure(request.getQuestion()))
                        .build()));
  }

  @Override
  public void switchover(SwitchoverRequest request, StreamObserver<SwitchoverResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            switchovers.serve(
                request.getOperationId(),
                progress ->
                    SwitchoverResponse.newBuilder()
                        .setDone(switchover(request.getSuccessor(), progress))
                        .build(),
                (ServerCallStreamObserver<SwitchoverResponse>) observer));
  }

  @Override
  public void reload(ReloadRequest request, StreamObserver<ReloadResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            reloads.serve(
                request.getOperationId(),
                new ReloadAction(driver, request, SECRET_LIMIT),
                (ServerCallStreamObserver<ReloadResponse>) observer));
  }

  @Override
  public void drain(DrainRequest request, StreamObserver<DrainResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            drains.serve(
                request.getOperationId(),
                progress -> {
                  driver.drain(progress);
                  return DrainResponse.newBuilder().setDone(Drained.getDefaultInstance()).build();
                },
                (ServerCallStreamObserver<DrainResponse>) observer));
  }

  @Override
  public void persist(PersistRequest request, StreamObserver<PersistResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            persists.serve(
                request.getOperationId(),
                progress -> {
                  driver.persist(request.getBeforeEnd(), progress);
                  return PersistResponse.newBuilder()
                      .setDone(Persisted.getDefaultInstance())
                      .build();
                },
                (ServerCallStreamObserver<PersistResponse>) observer));
  }

  @Override
  public void resume(ResumeRequest request, StreamObserver<ResumeResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            UnaryReply.send(
                observer,
                () -> {
                  persists.forgetResults(); // they are not true any more
                  driver.resume();
                  return ResumeResponse.getDefaultInstance();
                }));
  }

  @Override
  public void runAction(RunActionRequest request, StreamObserver<RunActionResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            actions.serve(
                request.getOperationId(),
                progress ->
                    RunActionAnswer.of(
                        driver.runAction(RunActionAnswer.requested(request), progress)),
                (ServerCallStreamObserver<RunActionResponse>) observer));
  }

  @Override
  public void stopAction(StopActionRequest request, StreamObserver<StopActionResponse> observer) {
    ifForThisPod(
        request.getPodName(),
        request.getPodUid(),
        observer,
        () ->
            actions.stop(
                request.getOperationId(),
                progress -> StopActionResponse.newBuilder().setProgress(progress).build(),
                StopActionResponse.newBuilder().setDone(Stopped.getDefaultInstance()).build(),
                (ServerCallStreamObserver<StopActionResponse>) observer));
  }

  private void ifForThisPod(String name, String uid, StreamObserver<?> observer, Runnable answer) {
    pod.refusal(name, uid)
        .ifPresentOrElse(why -> observer.onError(why.asRuntimeException()), answer);
  }

  private SwitchedOver switchover(String successor, ProgressSink progress)
      throws InterruptedException {
    var named = Optional.of(successor).filter(name -> !name.isEmpty());
    return SwitchedOver.newBuilder()
        .setPrimary(driver.switchover(named, progress).orElse(""))
        .build();
  }

  private static <T> OperationRegistry<T> operations(
      Lock podLock, Function<Progress, T> wrapProgress) {
    return operations(podLock, wrapProgress, OperationRegistry.RESULT_RETENTION);
  }

  private static <T> OperationRegistry<T> operations(
      Lock podLock, Function<Progress, T> wrapProgress, Duration retention) {
    return new OperationRegistry<>(
        podLock, wrapProgress, INTERVAL, PATIENCE, retention, InstantSource.system());
  }
}
