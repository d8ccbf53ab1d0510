package io.middleware.engine.activities.maintenance;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.activities.pods.AgentScene;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.FakeAgent;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.proto.tool.v1.PersistResponse;
import io.middleware.engine.proto.tool.v1.Progress;
import io.middleware.engine.workflows.port.AgentEndpoint;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.DrainFirst;
import io.middleware.engine.workflows.port.DrainFirst.LeavingPod;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.PodActivities.DrainRequest;
import io.middleware.engine.workflows.port.Preparation;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.client.ActivityCanceledException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A group of db-0, the primary, and db-1 is to be stopped. */
@ExtendWith(ApiServer.class)
class GroupPersistenceIT {
  private final LocalNamespace cluster;
  private final LocalEngine engine;
  private final AgentScene scene;
  private ChangeRef change;
  private ChangeType type = ChangeType.STOP;

  GroupPersistenceIT(LocalNamespace cluster) throws IOException {
    this.cluster = cluster;
    this.engine = new LocalEngine(cluster);
    this.scene = new AgentScene(cluster, engine) {};
  }

  @BeforeEach
  void begin() {
    change = engine.begin(cluster.createApp());
    scene.zero.role = "primary";
    scene.zero.persist = FakeAgent::persisted;
    scene.one.persist = FakeAgent::persisted;
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void shouldAskEachPod() {
    // When
    persist();
    // Then
    assertThat(actions(scene.zero)).containsExactly("persist run/step/persist-1");
    assertThat(actions(scene.one)).containsExactly("persist run/step/persist-1");
  }

  @Test
  void shouldStopWithoutAReplicaThatCannotWrite() {
    // Given
    scene.one.persist = GroupPersistenceIT::refuse;
    // When
    persist();
    // Then
    awaitEvent("DataNotDurable", "pod db-1 is stopped, and its data are not durable: ");
    assertThat(actions(scene.zero)).containsExactly("persist run/step/persist-1");
  }

  @Test
  void shouldWaitForAPrimaryThatCannotWrite() throws Exception {
    // Given
    scene.zero.persist = GroupPersistenceIT::refuse;
    // When
    var step = CompletableFuture.runAsync(this::persist, Thread::startVirtualThread);
    // Then
    awaitEvent("PodKept", "pod db-0: its data are not durable, and nothing is stopped: ");
    assertThat(actions(scene.zero)).containsExactly("persist run/step/persist-1", "resume");
    assertThat(actions(scene.one)).containsExactly("persist run/step/persist-1", "resume");
    assertThat(step).isNotDone();
    // and when it can
    scene.zero.persist = FakeAgent::persisted;
    step.get(4, TimeUnit.MINUTES);
    assertThat(actions(scene.zero)).endsWith("persist run/step/persist-2");
  }

  @Test
  void shouldRemoveAGroupWhoseAgentsDoNotAnswer() {
    // Given
    type = ChangeType.REMOVE;
    scene.zero.persist = to -> to.onError(Status.UNAVAILABLE.asRuntimeException());
    // When
    persist();
    // Then
    awaitEvent("DataNotDurable", "pod db-0 is stopped, and its data are not durable: ");
  }

  @Test
  void shouldNotRemoveAGroupWhosePrimaryCannotWrite() throws Exception {
    // Given
    type = ChangeType.REMOVE;
    scene.zero.persist = GroupPersistenceIT::refuse;
    // When
    var step = CompletableFuture.runAsync(this::persist, Thread::startVirtualThread);
    // Then
    awaitEvent("PodKept", "pod db-0: its data are not durable");
    accept();
    step.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldNeedEachPodWhereNoneIsKnownToBeThePrimary() throws Exception {
    // Given
    scene.zero.role = "replica";
    scene.one.persist = GroupPersistenceIT::refuse;
    // When
    var step = CompletableFuture.runAsync(this::persist, Thread::startVirtualThread);
    // Then
    awaitEvent("PodKept", "pod db-1: its data are not durable");
    // and when the user accepts the loss
    accept();
    step.get(4, TimeUnit.MINUTES);
  }

  @Test
  void shouldLetWritesGoOnWhenItIsCancelled() {
    // Given
    scene.zero.persist =
        to -> {
          to.onNext(
              PersistResponse.newBuilder()
                  .setProgress(Progress.newBuilder().setMessage("writing a snapshot").setPercent(7))
                  .build());
          engine.cancelled = true;
        };
    // When Then
    assertThatThrownBy(this::persist).isInstanceOf(ActivityCanceledException.class);
    cluster.await().until(() -> scene.zero.cancelled.get() == 1);
    assertThat(actions(scene.zero)).endsWith("resume");
    assertThat(actions(scene.one)).endsWith("resume");
  }

  @Test
  void shouldHaveNothingToDoWithAnOlderAgent() {
    // Given
    scene.zero.persist = to -> to.onError(Status.UNIMPLEMENTED.asRuntimeException());
    // When
    persist();
    // Then
    assertThat(cluster.events()).isEmpty();
  }

  @Test
  void shouldNotAskWhatDoesNotRun() {
    // Given
    scene.view.pods.clear();
    scene.view.pods.add(readyAt("db-9", "new", "127.0.0.10"));
    // When
    persist();
    // Then
    assertThat(actions(scene.zero)).isEmpty();
  }

  @Test
  void shouldAskAPodThatWasMadeAgain() {
    // Given
    var before = scene.view.pods.removeLast();
    scene.view.pods.add(readyAt(before.name(), "new", before.ip().orElseThrow()));
    // When
    persist();
    // Then
    assertThat(actions(scene.zero)).containsExactly("persist run/step/persist-1");
    assertThat(actions(scene.one)).containsExactly("persist run/step/persist-1");
  }

  private void persist() {
    var task = new TaskRef(change, "1-stop-db", type, "db");
    var pods = Stream.of("db-1", "db-0").map(pod -> new LeavingPod(pod, "uid-of-" + pod)).toList();
    var first =
        new DrainFirst(
            Map.of(Preparation.PERSIST, pods), new AgentEndpoint(scene.zero.port(), ""), false);
    var step = Thread.currentThread();
    var context = scene.context();
    var ownThread =
        engine.steps(
            scene.view,
            message -> {
              assertThat(Thread.currentThread()).isEqualTo(step); // as Temporal demands
              context.waiter().heartbeat().send(message);
            });
    new PodDrain(
            ownThread,
            new AgentQueries(scene.channels, scene.policy),
            (named, among) -> Optional.empty(),
            new AgentActions(scene.channels, scene.policy),
            new DrainRequest(new GroupRef(task, "g"), first),
            "run/step")
        .run(pod -> {});
  }

  private void accept() {
    scene.view.app =
        cluster
            .named(App.class, "cache")
            .edit(
                it -> {
                  it.getMetadata().setAnnotations(Map.of(Labels.ACCEPT_DATA_LOSS, "1"));
                  return it;
                });
  }

  private void awaitEvent(String reason, String note) {
    cluster
        .await()
        .untilAsserted(
            () ->
                assertThat(cluster.events())
                    .filteredOn(event -> event.getReason().equals(reason))
                    .extracting(Event::getNote)
                    .singleElement()
                    .asString()
                    .startsWith(note));
  }

  private static void refuse(StreamObserver<PersistResponse> to) {
    to.onError(
        Status.FAILED_PRECONDITION
            .withDescription("cannot write its snapshot")
            .asRuntimeException());
  }

  private static List<String> actions(FakeAgent agent) {
    return agent.calls.stream().filter(call -> !call.equals("role")).toList();
  }
}
