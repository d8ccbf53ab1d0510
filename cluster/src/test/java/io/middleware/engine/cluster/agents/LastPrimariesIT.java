package io.middleware.engine.cluster.agents;

import static io.middleware.engine.cluster.SampleObjects.readyAt;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.ChangeRef;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The status says that db-0 is the primary. */
@ExtendWith(ApiServer.class)
class LastPrimariesIT {
  private static final List<PodState> PODS =
      List.of(readyAt("db-0", "old", "10.0.0.10"), readyAt("db-1", "old", "10.0.0.11"));

  private final LocalNamespace cluster;
  private Group group;

  LastPrimariesIT(LocalNamespace cluster) {
    this.cluster = cluster;
  }

  @BeforeEach
  void start() {
    group =
        cluster.create(
            Group.class,
            """
            metadata: {name: cache-db-g}
            spec: {app: cache, component: db, name: g}
            """);
    cluster.patchStatus(
        group,
        """
        {"nodes": [{"pod": "db-0", "ip": "10.0.0.10", "role": "primary"},
                   {"pod": "db-1", "ip": "10.0.0.11", "role": "replica"}]}""");
  }

  @Test
  void shouldBeThePrimaryOfTheStatus() {
    assertThat(last()).contains("db-0");
  }

  @Test
  void shouldBeThePodThatWasSwitchedOverToUntilTheWatcherHasAskedSince() {
    // Given
    createPod("db-1", "10.0.0.11");
    // When
    switchedOverTo("db-1");
    // Then
    assertThat(last()).contains("db-1");
    // and when the watcher has asked the agents
    var switchover = cluster.now(group).getMetadata().getAnnotations().get(Labels.SWITCHED_OVER);
    cluster.patchStatus(group, "{\"observedSwitchover\": \"%s\"}".formatted(switchover));
    assertThat(last()).contains("db-0");
    // and when the next one is on its way
    switchedOverTo("db-1");
    assertThat(last()).contains("db-1");
  }

  @Test
  void shouldNotBeKnownWhenTheAgentDidNotSayWhoItIs() {
    switchedOverTo("");
    assertThat(last()).isEmpty();
  }

  @Test
  void shouldRecordNothingOfAGroupThatIsGone() {
    cluster.client().resource(group).delete();
    switchedOverTo("");
    assertThat(last()).isEmpty();
  }

  private void switchedOverTo(String pod) {
    var from =
        new PodBuilder(PODS.getFirst().pod())
            .editMetadata()
            .withNamespace(cluster.namespace())
            .endMetadata()
            .build();
    LastSwitchover.recordedBy(cluster.client()).accept(new PodState(from), pod);
  }

  private Optional<String> last() {
    var change = new ChangeRef(cluster.namespace(), "cache", "uid", 7, "run");
    var task = new TaskRef(change, "7-x-db", ChangeType.VERSION_UPGRADE, "db");
    return LastPrimaries.in(cluster.client()).of(new GroupRef(task, "g"), PODS);
  }

  private void createPod(String name, String ip) {
    var pod =
        cluster.create(
            Pod.class,
            """
            metadata: {name: %s}
            spec: {containers: [{name: redis, image: redis}]}
            """
                .formatted(name));
    cluster.patchStatus(
        pod, "{\"podIP\": \"%1$s\", \"podIPs\": [{\"ip\": \"%1$s\"}]}".formatted(ip));
  }
}
