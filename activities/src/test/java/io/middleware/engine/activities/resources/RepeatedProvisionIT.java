package io.middleware.engine.activities.resources;

import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.activities.apiserver.LocalEngine;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.api.task.TaskChecks;
import io.middleware.engine.cluster.FakeView;
import io.middleware.engine.cluster.SampleObjects;
import io.middleware.engine.cluster.apiserver.ApiServer;
import io.middleware.engine.cluster.apiserver.LocalNamespace;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An attempt to provision that has created the group g, and was interrupted then. */
@ExtendWith(ApiServer.class)
class RepeatedProvisionIT {
  private final LocalNamespace cluster;
  private final LocalWriters writers;
  private final FakeView view = new FakeView();
  private TaskRef task;

  RepeatedProvisionIT(LocalNamespace cluster) {
    this.cluster = cluster;
    this.writers = new LocalWriters(new LocalEngine(cluster));
  }

  @BeforeEach
  void interrupt() {
    cluster.createPlugin();
    var app = cluster.createApp();
    var ref = writers.open(app, ChangeType.PROVISION);
    writers.write(app, ref);
    task = ref.task();
    view.sets.add(SampleObjects.set(2, 1));
    view.pods.add(SampleObjects.ready("db-0", "new"));
    view.pods.add(SampleObjects.ready("db-1", "new"));
  }

  @Test
  void shouldLeaveOutAGroupThatIsReady() {
    assertThat(begun(task)).isEmpty();
    view.pods.set(1, SampleObjects.unready("db-1", "new"));
    assertThat(begun(task)).containsExactly("g");
  }

  @Test
  void shouldRepeatAllGroupsWhereHooksOrChecksFollow() {
    assertThat(begun(task.hooked(true))).containsExactly("g");
    assertThat(begun(task.checkedBy(TaskChecks.of(List.of("in-sync"), List.of()))))
        .containsExactly("g");
  }

  private List<String> begun(TaskRef repeated) {
    return writers.transaction(view).begin(repeated);
  }
}
