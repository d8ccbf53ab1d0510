package io.middleware.engine.activities.resources;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What tasks leave on a Component, all in one write with its spec.
 *
 * @param undo of the running task; empty when it keeps none
 */
record ComponentMarks(UnfinishedChanges unfinished, Optional<Undo> undo, EndedTasks ended) {
  Map<String, String> annotations() {
    var annotations = new TreeMap<>(unfinished.annotations());
    undo.ifPresent(kept -> annotations.putAll(kept.annotations()));
    annotations.putAll(ended.annotations());
    return annotations;
  }
}
