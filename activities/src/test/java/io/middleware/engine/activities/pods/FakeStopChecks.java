package io.middleware.engine.activities.pods;

import io.middleware.engine.api.App;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.workflows.port.GroupRef;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Says what a test says, and remembers which pods were asked. */
public final class FakeStopChecks implements StopChecks {
  public final List<String> asked = new CopyOnWriteArrayList<>();
  public volatile Function<String, Optional<String>> answer = pod -> Optional.empty();

  @Override
  public boolean exist(App app, GroupRef group) {
    return true;
  }

  @Override
  public Optional<String> refusal(App app, GroupRef group, PodState pod) {
    asked.add(pod.name());
    return answer.apply(pod.name());
  }
}
