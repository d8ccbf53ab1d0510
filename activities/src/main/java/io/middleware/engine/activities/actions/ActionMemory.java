package io.middleware.engine.activities.actions;

import io.middleware.engine.api.operation.ActionRun;
import io.middleware.engine.cluster.PodState;
import io.middleware.engine.proto.tool.v1.ActionOutput;
import java.util.Map;

/** What is known of the runs of an action on the pods of one group. */
interface ActionMemory {
  /** The runs on the group's pods, by pod name. */
  Map<String, ActionRun> byPod();

  /** The run that is in progress on the pod, or a new one. */
  ActionRun begin(PodState pod);

  /** The agent does not answer. */
  void waiting(ActionRun run, String why);

  /** The run has ended without a result. */
  void ended(ActionRun run, String how, String why);

  /** The run has ended with this result. */
  void ended(ActionRun run, String how, ActionOutput output);
}
