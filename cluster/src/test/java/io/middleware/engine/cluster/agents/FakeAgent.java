package io.middleware.engine.cluster.agents;

import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import io.grpc.ServerCredentials;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.proto.agent.v1.Agent2Grpc;
import io.middleware.engine.proto.agent.v1.GetGroupOrderRequest;
import io.middleware.engine.proto.agent.v1.GetGroupOrderResponse;
import io.middleware.engine.proto.agent.v1.GetPodOrderRequest;
import io.middleware.engine.proto.agent.v1.GetPodOrderResponse;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import io.middleware.engine.proto.tool.v1.DrainRequest;
import io.middleware.engine.proto.tool.v1.DrainResponse;
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
import io.middleware.engine.proto.tool.v1.Reloaded;
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
import io.middleware.engine.proto.tool.v1.ToolInvokerGrpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A real gRPC server on its own address that answers as configured. */
public final class FakeAgent implements AutoCloseable {
  public final List<String> calls = new CopyOnWriteArrayList<>();

  /** The pod name and uid in each call for an action or a role. */
  final List<String> targets = new CopyOnWriteArrayList<>();

  /** The successor that each call for a switchover names. */
  public final List<String> successors = new CopyOnWriteArrayList<>();

  public UnaryOperator<List<String>> order = names -> names;
  boolean concurrent;
  public volatile String role = "replica";
  Status failure = Status.OK;

  /** Why it reports no role; by default it does. */
  Status roleFailure = Status.OK;

  /** Why it gives no order; by default it does. */
  Status orderFailure = Status.OK;

  boolean hangs;

  /** What it does when asked to switch over; by default it never answers. */
  public Consumer<StreamObserver<SwitchoverResponse>> switchover = to -> {};

  public Consumer<StreamObserver<DrainResponse>> drain =
      to -> to.onError(Status.UNIMPLEMENTED.asRuntimeException());

  /** What it does when asked to make its data durable; by default it has nothing to do. */
  public volatile Consumer<StreamObserver<PersistResponse>> persist =
      to -> to.onError(Status.UNIMPLEMENTED.asRuntimeException());

  /** What it does when asked to run an action; by default it never answers. */
  public Consumer<StreamObserver<RunActionResponse>> action = to -> {};

  /** The same by the name of the action; the others do what {@link #action} says. */
  public final Map<String, Consumer<StreamObserver<RunActionResponse>>> actions =
      new ConcurrentHashMap<>();

  /** What it does when asked to stop an action; by default it is older than that. */
  public volatile Consumer<StreamObserver<StopActionResponse>> stop =
      to -> to.onError(Status.UNIMPLEMENTED.asRuntimeException());

  /** Its answers by question; it refuses all other questions. */
  public final Map<String, String> answers = new ConcurrentHashMap<>();

  /** Why it answers no question; by default it does. */
  public volatile Status measureFailure = Status.OK;

  /** The operation ids of the calls for actions of the Plugin. */
  public final List<String> actionIds = new CopyOnWriteArrayList<>();

  /** How many seconds the actions of the Plugin may take. */
  public final List<Integer> timeouts = new CopyOnWriteArrayList<>();

  /** The number of cancelled calls of actions. */
  public final AtomicInteger cancelled = new AtomicInteger();

  private final Server server;
  private final int port;

  /**
   * @param port 0 for any free one
   */
  public FakeAgent(String ip, int port) throws IOException {
    this(ip, port, InsecureServerCredentials.create());
  }

  FakeAgent(String ip, int port, ServerCredentials credentials) throws IOException {
    server =
        NettyServerBuilder.forAddress(new InetSocketAddress(ip, port), credentials)
            .addService(new Orders())
            .addService(new Roles())
            .build()
            .start();
    this.port = server.getPort();
  }

  public int port() {
    return port;
  }

  @Override
  public void close() {
    server.shutdownNow();
  }

  /** A progress message. */
  public static SwitchoverResponse progress(String message, int percent) {
    return SwitchoverResponse.newBuilder()
        .setProgress(Progress.newBuilder().setMessage(message).setPercent(percent))
        .build();
  }

  /** Reports success at once. */
  public static Consumer<StreamObserver<SwitchoverResponse>> switchesOverTo(String primary) {
    return to -> {
      to.onNext(
          SwitchoverResponse.newBuilder()
              .setDone(SwitchedOver.newBuilder().setPrimary(primary))
              .build());
      to.onCompleted();
    };
  }

  /** Has made its data durable at once. */
  public static void persisted(StreamObserver<PersistResponse> to) {
    to.onNext(PersistResponse.newBuilder().setDone(Persisted.getDefaultInstance()).build());
    to.onCompleted();
  }

  /** Ends an action at once. */
  public static Consumer<StreamObserver<RunActionResponse>> endsWith(int exitCode, String output) {
    return to -> {
      to.onNext(
          RunActionResponse.newBuilder()
              .setDone(ActionOutput.newBuilder().setExitCode(exitCode).setOutput(output))
              .build());
      to.onCompleted();
    };
  }

  /** Ends an action well at once, with these values. */
  public static Consumer<StreamObserver<RunActionResponse>> answers(Map<String, String> values) {
    return to -> {
      to.onNext(
          RunActionResponse.newBuilder()
              .setDone(ActionOutput.newBuilder().putAllValues(values))
              .build());
      to.onCompleted();
    };
  }

  /** Says that an action was terminated, because its time was over. */
  public static Consumer<StreamObserver<RunActionResponse>> timesOut(String output) {
    return to -> {
      to.onNext(
          RunActionResponse.newBuilder()
              .setDone(
                  ActionOutput.newBuilder().setExitCode(143).setOutput(output).setTimedOut(true))
              .build());
      to.onCompleted();
    };
  }

  /** Refuses an action. */
  public static Consumer<StreamObserver<RunActionResponse>> refuses(String why) {
    return to -> to.onError(Status.FAILED_PRECONDITION.withDescription(why).asRuntimeException());
  }

  /** Says that an action has been stopped. */
  public static void stopped(StreamObserver<StopActionResponse> to) {
    to.onNext(StopActionResponse.newBuilder().setDone(Stopped.getDefaultInstance()).build());
    to.onCompleted();
  }

  private <T> void reply(String call, Status own, StreamObserver<T> to, T answer) {
    calls.add(call);
    if (hangs) {
      return;
    }
    var status = failure.isOk() ? own : failure;
    if (status.isOk()) {
      to.onNext(answer);
      to.onCompleted();
    } else {
      to.onError(status.asRuntimeException());
    }
  }

  private final class Orders extends Agent2Grpc.Agent2ImplBase {
    @Override
    public void getGroupOrder(
        GetGroupOrderRequest request, StreamObserver<GetGroupOrderResponse> to) {
      var asked = Map.of(request.getComponentName(), request.getGroupsList());
      reply(
          request.getScenario() + " " + asked,
          orderFailure,
          to,
          GetGroupOrderResponse.newBuilder()
              .addAllOrder(order.apply(request.getGroupsList()))
              .setConcurrent(concurrent)
              .build());
    }

    @Override
    public void getPodOrder(GetPodOrderRequest request, StreamObserver<GetPodOrderResponse> to) {
      var asked = Map.of(request.getGroupName(), request.getPodsList());
      reply(
          request.getScenario() + " " + asked,
          orderFailure,
          to,
          GetPodOrderResponse.newBuilder()
              .addAllOrder(order.apply(request.getPodsList()))
              .setConcurrent(concurrent)
              .build());
    }
  }

  private final class Roles extends ToolInvokerGrpc.ToolInvokerImplBase {
    @Override
    public void switchover(SwitchoverRequest request, StreamObserver<SwitchoverResponse> to) {
      calls.add("switch over " + request.getOperationId());
      successors.add(request.getSuccessor());
      targets.add(request.getPodName() + " " + request.getPodUid());
      ((ServerCallStreamObserver<SwitchoverResponse>) to)
          .setOnCancelHandler(cancelled::incrementAndGet);
      switchover.accept(to);
    }

    @Override
    public void reload(ReloadRequest request, StreamObserver<ReloadResponse> to) {
      var parameters = new TreeMap<>(request.getParametersMap());
      targets.add(request.getPodName() + " " + request.getPodUid());
      to.onNext(
          ReloadResponse.newBuilder()
              .setDone(Reloaded.newBuilder().setChecksum("of " + parameters))
              .build());
      to.onCompleted();
    }

    @Override
    public void drain(DrainRequest request, StreamObserver<DrainResponse> to) {
      calls.add("drain " + request.getOperationId());
      targets.add(request.getPodName() + " " + request.getPodUid());
      drain.accept(to);
    }

    @Override
    public void persist(PersistRequest request, StreamObserver<PersistResponse> to) {
      calls.add("persist %s".formatted(request.getOperationId()));
      ((ServerCallStreamObserver<PersistResponse>) to)
          .setOnCancelHandler(cancelled::incrementAndGet);
      persist.accept(to);
    }

    @Override
    public void resume(ResumeRequest request, StreamObserver<ResumeResponse> to) {
      calls.add("resume");
      to.onNext(ResumeResponse.getDefaultInstance());
      to.onCompleted();
    }

    @Override
    public void runAction(RunActionRequest request, StreamObserver<RunActionResponse> to) {
      calls.add(
          "run %s %s".formatted(request.getAction(), new TreeMap<>(request.getParametersMap())));
      actionIds.add(request.getOperationId());
      timeouts.add(request.getTimeoutSeconds());
      ((ServerCallStreamObserver<RunActionResponse>) to)
          .setOnCancelHandler(cancelled::incrementAndGet);
      actions.getOrDefault(request.getAction(), action).accept(to);
    }

    @Override
    public void stopAction(StopActionRequest request, StreamObserver<StopActionResponse> to) {
      calls.add("stop " + request.getOperationId());
      stop.accept(to);
    }

    @Override
    public void measure(MeasureRequest request, StreamObserver<MeasureResponse> to) {
      calls.add("measure " + request.getQuestion());
      var answer = answers.get(request.getQuestion());
      if (answer != null && measureFailure.isOk()) {
        to.onNext(MeasureResponse.newBuilder().setAnswer(answer).build());
        to.onCompleted();
        return;
      }
      var why = "this agent does not know the question " + request.getQuestion();
      to.onError(
          (measureFailure.isOk() ? Status.FAILED_PRECONDITION.withDescription(why) : measureFailure)
              .asRuntimeException());
    }

    @Override
    public void getRole(GetRoleRequest request, StreamObserver<GetRoleResponse> to) {
      targets.add(request.getPodName() + " " + request.getPodUid());
      reply("role", roleFailure, to, GetRoleResponse.newBuilder().setRole(role).build());
    }
  }
}
