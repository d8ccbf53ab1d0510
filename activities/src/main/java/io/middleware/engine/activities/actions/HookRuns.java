package io.middleware.engine.activities.actions;

import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.api.operation.ActionRunBuilder;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The runs of a hook's action on the pods of one group, for as long as this process lives. A repeat
 * in another one begins with the first pod again: the agents know what they have done.
 */
final class HookRuns implements ActionMemory {
  private final String component;
  private final String group;
  private final Map<String, ActionRun> runs = new LinkedHashMap<>();

  HookRuns(String component, String group) {
    this.component = component;
    this.group = group;
  }

  @Override
  public Map<String, ActionRun> byPod() {
    return Map.copyOf(runs);
  }

  /**
   * A pod and its successor have different uids, so the number of the attempt may stay the same.
   */
  @Override
  public ActionRun begin(PodState pod) {
    var run =
        ActionRunBuilder.builder()
            .pod(pod.name())
            .uid(pod.uid())
            .component(component)
            .group(group)
            .status(ActionRun.RUNNING)
            .attempts(1)
            .build();
    runs.put(pod.name(), run);
    return run;
  }

  @Override
  public void waiting(ActionRun run, String why) {
    runs.put(run.pod(), run.saying(why));
  }

  @Override
  public void ended(ActionRun run, String how, String why) {
    runs.put(run.pod(), run.ended(how, why));
  }

  @Override
  public void ended(ActionRun run, String how, ActionOutput output) {
    runs.put(run.pod(), run.ended(how, output.getExitCode(), "", Map.of()));
  }
}
