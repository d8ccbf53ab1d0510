package io.middleware.engine.activities.rollout;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static io.middleware.engine.cluster.SampleObjects.set;
import static io.middleware.engine.cluster.SampleObjects.unready;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.middleware.engine.activities.pods.ActionProgress;
import io.middleware.engine.api.App;
import io.middleware.engine.api.plugin.AgentSettings;
import io.middleware.engine.api.plugin.PluginSpec;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.ClusterWaiter;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.cluster.agents.AgentActions;
import io.middleware.engine.cluster.agents.AgentChannels;
import io.middleware.engine.cluster.agents.AgentPolicy;
import io.middleware.engine.cluster.agents.AgentQueries;
import io.middleware.engine.cluster.agents.PodReloads;
import io.middleware.engine.cluster.agents.PodReloads.ReloadCall;
import io.middleware.engine.cluster.secrets.SecretDigests;
import io.middleware.engine.workflows.port.AppliedStatefulSet;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.ConfigurationActivities.ReloadRequest;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reloads of the pods db-0 and db-1 through their agents on real sockets. */
class ConfigurationReloadTest {
  private static final String BOTH = "{lazyfree=true, maxmemory=200mb}";
  private static final GroupRef GROUP =
      new GroupRef(
          new TaskRef(
              new ChangeRef("shop", "cache", "uid", 7, "run"), "7-x-db", ChangeType.CONFIG, "db"),
          "g");

  private final FakeView view = new FakeView();
  private final AgentChannels channels = new AgentChannels(name -> null);
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final List<String> messages = new CopyOnWriteArrayList<>();
  private ReloadingAgent first;
  private ReloadingAgent second;
  private int passes;
  private Runnable runLock = () -> {};
  private Supplier<SecretDigests> digests = () -> SecretDigests.NONE;

  @BeforeEach
  void start() throws IOException {
    first = new ReloadingAgent("db-0", "127.0.0.1", 0, asked);
    second = new ReloadingAgent("db-1", "127.0.0.2", first.port(), asked);
    first.order = List.of("db-1", "db-0");
    second.order = first.order;
    view.sets.add(set(2, 4));
    view.pods.add(readyAt("db-0", "new", "127.0.0.1"));
    view.pods.add(readyAt("db-1", "new", "127.0.0.2"));
  }

  @AfterEach
  void stop() {
    channels.close();
    first.close();
    second.close();
  }

  @Test
  void shouldReloadOneAfterTheOtherInTheAgentsOrderForUpdates() {
    // When
    var degraded = reload("run");
    // Then
    assertThat(degraded).isEmpty();
    assertThat(asked).containsExactly("SCENARIO_UPDATE cache-db-g", "db-1 " + BOTH, "db-0 " + BOTH);
    assertThat(passes).isEqualTo(2);
    assertThat(messages).anyMatch(text -> text.contains("db-1") && text.contains("half of it"));
  }

  @Test
  void shouldReloadTogetherWhenTheOrderIsOpen() {
    // Given
    first.order = List.of();
    second.order = List.of();
    // When
    reload("run");
    // Then
    assertThat(asked).contains("db-0 " + BOTH, "db-1 " + BOTH);
    assertThat(passes).isEqualTo(1);
  }

  @Test
  void shouldNameThePodThatRefusesAndAskNoOther() {
    // Given
    second.refusal = Status.FAILED_PRECONDITION.withDescription("maxmemory: too small");
    // Then
    assertFails("AgentRefused", "pod db-1", "maxmemory: too small", "nothing was restarted");
    assertThat(asked).containsExactly("SCENARIO_UPDATE cache-db-g", "db-1 " + BOTH);
  }

  @Test
  void shouldRefuseAWrongChecksum() {
    // Given
    second.spoiled = "100mb";
    // Then
    assertFails(
        "AgentRefused", "pod db-1", "not all parameters are in force", "lazyfree, maxmemory");
    assertThat(asked).doesNotContain("db-0 " + BOTH);
  }

  @Test
  void shouldNameWhatIsNotInForce() {
    // Given
    second.spoiled = "100mb";
    second.notInForce = List.of("maxmemory");
    // Then
    assertFails("AgentRefused", "pod db-1", "these are not in force: maxmemory;");
  }

  @Test
  void shouldRefuseAnAgentThatCannotReload() {
    // Given
    second.refusal = Status.UNIMPLEMENTED;
    // Then
    assertFails("AgentRefused", "pod db-1", "the Plugin must not declare these parameters Hot");
  }

  @Test
  void shouldFailWhenAnAgentDoesNotAnswer() {
    // Given
    second.refusal = Status.UNAVAILABLE.withDescription("loading");
    // Then
    assertFails("AgentsUnavailable", "pod db-1", "loading");
    assertThat(second.operations).hasSize(3).containsOnly(second.operations.getFirst());
  }

  @Test
  void shouldStopWhenAnotherRunAcquiresTheLockWhileAPodReloads() {
    // Given
    second.hangs = true;
    runLock =
        () -> {
          if (asked.contains("db-1 " + BOTH)) {
            throw Faults.of(FaultKind.SUPERSEDED, "the run lock is held by run new");
          }
        };
    // Then
    assertFails("Superseded", "the run lock is held by run new");
    assertThat(asked).doesNotContain("db-0 " + BOTH);
  }

  @Test
  void shouldReloadAPodOnceItIsReady() throws InterruptedException {
    // Given
    view.pods.set(1, unready("db-1", "new"));
    var running = Thread.startVirtualThread(() -> reload("run"));
    while (!messages.toString().contains("pod db-1: not ready")) {
      Thread.sleep(Duration.ofMillis(10));
    }
    assertThat(asked).containsExactly("db-0 " + BOTH);
    // When
    view.pods.set(1, readyAt("db-1", "new", "127.0.0.2"));
    view.wakeUp(SampleObjects.KEY);
    // Then
    running.join();
    assertThat(asked).containsExactly("db-0 " + BOTH, "db-1 " + BOTH);
  }

  @Test
  void shouldWaitForTheStatefulSetThatWasApplied() throws InterruptedException {
    // Given
    var applied = view.sets.getFirst();
    view.sets.set(0, applied.edit().editMetadata().withUid("replaced").endMetadata().build());
    var running = Thread.startVirtualThread(() -> reload("run"));
    while (!messages.toString().contains("StatefulSet db: does not exist")) {
      Thread.sleep(Duration.ofMillis(10));
    }
    assertThat(asked).isEmpty();
    // When
    view.sets.set(0, applied);
    view.wakeUp(SampleObjects.KEY);
    // Then
    running.join();
    assertThat(asked).contains("db-1 " + BOTH, "db-0 " + BOTH);
  }

  @Test
  void shouldSkipSurplusPods() {
    // Given
    view.sets.set(0, set(1, 4));
    // When
    reload("run");
    // Then
    assertThat(asked).containsExactly("db-0 " + BOTH);
  }

  @Test
  void shouldUseTheSameOperationOnlyInARepeat() {
    // When
    reload("run");
    reload("run");
    reload("another run");
    // Then
    assertThat(first.operations)
        .hasSize(3)
        .allMatch(id -> id.length() <= 128)
        .containsSequence(first.operations.get(0), first.operations.get(0));
    assertThat(first.operations.get(2)).isNotEqualTo(first.operations.get(0));
    assertThat(second.operations).doesNotContainAnyElementsOf(first.operations);
  }

  @Test
  void shouldAskAgainWithWhatASecretSaysNow() {
    // Given: the file of the pod never gets the value that the Secret had at first
    second.mounted = "d2";
    var looks = new AtomicInteger();
    digests =
        () -> new SecretDigests("s" + looks, Map.of("maxmemory", "d" + looks.incrementAndGet()));
    // When
    reload("run");
    // Then
    assertThat(second.waited).isOne();
    assertThat(second.operations).hasSize(2).doesNotHaveDuplicates();
    assertThat(messages).anyMatch(it -> it.contains("pod db-1") && it.contains("maxmemory"));
    assertThat(first.operations).hasSize(1).doesNotContainAnyElementsOf(second.operations);
  }

  @Test
  void shouldStopAskingForASecretWithTheRunLock() {
    // Given
    second.mounted = "never";
    digests = () -> new SecretDigests("s", Map.of("maxmemory", "d"));
    runLock =
        () -> {
          if (second.waited > 1) {
            throw Faults.of(FaultKind.SUPERSEDED, "the run lock is held by run new");
          }
        };
    // Then
    assertFails("Superseded", "the run lock is held by run new");
  }

  private void assertFails(String kind, String... texts) {
    assertThatThrownBy(() -> reload("run"))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo(kind))
        .hasMessageContainingAll(texts);
  }

  private Optional<String> reload(String run) {
    var policy = new AgentPolicy(Duration.ofSeconds(5), 3, 256 * 1024);
    var reloads =
        new PodReloads(new AgentQueries(channels, policy), new AgentActions(channels, policy));
    var context =
        new ConfigurationReload.ReloadContext(
            view, new ClusterWaiter(view, messages::add), reloads, (app, event) -> {});
    Supplier<ReloadCall> call =
        () ->
            new ReloadCall(
                run,
                new TreeMap<>(Map.of("maxmemory", "200mb", "lazyfree", "true")),
                digests.get());
    return new ConfigurationReload(
            context,
            new ReloadRequest(GROUP, new AppliedStatefulSet("db", 4, "set-uid")),
            plugin(),
            app -> call.get(),
            control())
        .run();
  }

  private ConfigurationReload.ReloadControl control() {
    return new ConfigurationReload.ReloadControl() {
      @Override
      public App pass() {
        passes++;
        return new App();
      }

      @Override
      public void check() {
        runLock.run();
      }

      @Override
      public ActionProgress progress() {
        return new ActionProgress() {
          @Override
          public void accept(String message) {
            runLock.run();
            messages.add(message);
          }

          @Override
          public void done() {}
        };
      }
    };
  }

  private PluginSpec plugin() {
    return new PluginSpec(
        "redis",
        "1.0.0",
        null,
        null,
        null,
        null,
        null,
        new AgentSettings(first.port(), null),
        null,
        null,
        null,
        null);
  }
}
