package io.middleware.engine.workflows.component;

import io.middleware.engine.api.task.ChangeTask;
import io.middleware.engine.api.task.RollingPolicy;

/**
 * How a task carries out its groups.
 *
 * @param inline {@link ChangeTask#inline}
 * @param inRun {@link ChangeTask#inRun}
 */
public record GroupPolicy(RollingPolicy rolling, boolean inline, boolean inRun) {}
