package io.middleware.engine.activities.backup;

import static io.middleware.engine.cluster.SampleObjects.ready;
import static org.assertj.core.api.Assertions.assertThat;

import io.middleware.engine.cluster.PodState;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CopySourceTest {

  @Test
  void shouldTakeTheFirstReplica() {
    var pods = pods("db-0", "primary", "db-10", "replica", "db-2", "replica");

    assertThat(new CopySource(pods, false).choose(true)).map(PodState::name).hasValue("db-2");
  }

  @Test
  void shouldTakeThePrimaryOnlyWhenNoReplicaIsWaitedFor() {
    var source = new CopySource(pods("db-0", "primary", "db-1", ""), false);

    assertThat(source.choose(false)).isEmpty();
    assertThat(source.choose(true)).map(PodState::name).hasValue("db-0");
  }

  @Test
  void shouldTakeTheOnlyPodWhateverItIs() {
    assertThat(new CopySource(pods("db-0", ""), true).choose(false)).isPresent();
  }

  private static Map<PodState, String> pods(String... namesAndRoles) {
    var pods = new LinkedHashMap<PodState, String>();
    for (var i = 0; i < namesAndRoles.length; i += 2) {
      pods.put(ready(namesAndRoles[i], "new"), namesAndRoles[i + 1]);
    }
    return pods;
  }
}
