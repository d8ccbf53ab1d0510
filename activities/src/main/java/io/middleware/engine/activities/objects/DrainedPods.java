package io.middleware.engine.activities.objects;

import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.workflows.port.GroupRef;
import io.middleware.engine.workflows.port.TaskRef;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which pods of a Group a task has drained, in an annotation of the Group: a pod does not show it,
 * and a task that drains many pods goes on for as long as there is one more.
 */
public record DrainedPods(EngineObjects objects, GroupRef ref) {
  private static final String BETWEEN = " ";

  /** The names of those that the task is done with. */
  public static List<String> of(TaskRef task, Group group) {
    return Optional.ofNullable(group.getMetadata().getAnnotations())
        .map(annotations -> annotations.get(Labels.DRAINED))
        .map(value -> List.of(value.split(BETWEEN)))
        .filter(words -> words.getFirst().equals(task.id()))
        .map(words -> words.subList(1, words.size()))
        .orElseGet(List::of);
  }

  /** Adds a pod; without its Group there is nothing to add it to. */
  public void add(String pod) {
    var task = ref.task();
    objects
        .group(task, ref.group())
        .filter(group -> !of(task, group).contains(pod))
        .ifPresent(
            group ->
                objects.annotate(
                    group,
                    Labels.DRAINED,
                    Stream.of(Stream.of(task.id()), of(task, group).stream(), Stream.of(pod))
                        .flatMap(words -> words)
                        .collect(Collectors.joining(BETWEEN))));
  }
}
