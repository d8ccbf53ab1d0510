package io.middleware.engine.workflows;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.RollingPolicy;

/**
 * How a task carries out its groups.
 *
 * @param inline {@link ChangeTask#inline}
 * @param inRun {@link ChangeTask#inRun}
 */
record GroupPolicy(RollingPolicy rolling, boolean inline, boolean inRun) {}
