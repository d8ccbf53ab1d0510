package io.middleware.engine.activities.resources;

import io.middleware.engine.activities.objects.Undo;
import io.middleware.engine.activities.objects.UnfinishedChanges;
import io.middleware.engine.api.Component;
import io.middleware.engine.api.task.ChangeType;
import io.middleware.engine.planning.app.NoWayBack;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What tasks leave on a Component, all in one write with its spec.
 *
 * @param undo of the running task; empty when it keeps none
 */
record ComponentMarks(
    UnfinishedChanges unfinished, Optional<Undo> undo, EndedTasks ended, NoWayBack noWayBack) {

  /** As this task finds them, without an undo: that of another task counts for nothing. */
  static ComponentMarks of(TaskRef task, Optional<Component> component) {
    return new ComponentMarks(
        component.map(UnfinishedChanges::of).orElseGet(UnfinishedChanges::none),
        Optional.empty(),
        EndedTasks.of(task.change(), component),
        component.map(NoWayBack::of).orElse(NoWayBack.NONE));
  }

  ComponentMarks with(UnfinishedChanges changes) {
    return new ComponentMarks(changes, undo, ended, noWayBack);
  }

  ComponentMarks with(Optional<Undo> kept) {
    return new ComponentMarks(unfinished, kept, ended, noWayBack);
  }

  ComponentMarks with(NoWayBack kept) {
    return new ComponentMarks(unfinished, undo, ended, kept);
  }

  /** The same when the task has ended. */
  ComponentMarks without(TaskRef task) {
    return new ComponentMarks(
        unfinished.without(task.type()),
        Optional.empty(),
        ended.with(task),
        noWayBack.ended(task.id(), task.type() == ChangeType.VERSION_UPGRADE));
  }

  Map<String, String> annotations() {
    var annotations = new TreeMap<>(unfinished.annotations());
    undo.ifPresent(kept -> annotations.putAll(kept.annotations()));
    annotations.putAll(ended.annotations());
    annotations.putAll(noWayBack.annotations());
    return annotations;
  }
}
