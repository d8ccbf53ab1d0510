package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.process.objects.OptimisticUpdate;
import io.middleware.engine.workflows.port.TaskRef;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes or deletes an object only as a step has read it. Between that read and the write the
 * worker may have stalled, and a newer run may have written.
 *
 * <ol>
 *   <li>The step reads the object, and then checks the run lock. A run that acquires the lock later
 *       also writes later.
 *   <li>The write carries the uid and resourceVersion that were read, or creates.
 *   <li>On a conflict, read the object again, and check the run lock again. If only its status has
 *       changed, go on at 2. Otherwise fail, so that the whole step is repeated.
 * </ol>
 *
 * @param <T> the type of the object
 * @param name of the object, for people
 * @param seen the object as the step has read it; empty when there was none
 * @param reader reads it again
 * @param fence checks the run lock again
 */
public record OntoObserved<T extends HasMetadata>(
    String name, Optional<T> seen, Supplier<Optional<T>> reader, Runnable fence) {
  /**
   * No object ever has it: it is the revision of an empty store. An apply that names it creates the
   * object, or fails when there is one.
   */
  private static final String NO_VERSION = "1";

  /** Ends the name of a rollback after that of its task. */
  public static final String ROLLBACK = "/rollback";

  /**
   * A try takes about 10 ms. The controller of a busy StatefulSet writes its status every 50 ms:
   * the controller manager is limited to 20 writes a second.
   */
  private static final OptimisticUpdate UPDATE = new OptimisticUpdate(20, Duration.ZERO);

  /** Makes the apply of this object fail unless the object is as it was seen. */
  static void require(HasMetadata desired, Optional<? extends HasMetadata> seen) {
    desired.getMetadata().setUid(seen.map(it -> it.getMetadata().getUid()).orElse(null));
    desired
        .getMetadata()
        .setResourceVersion(
            seen.map(it -> it.getMetadata().getResourceVersion()).orElse(NO_VERSION));
  }

  /**
   * @param call writes onto the object that it is given; throws what the client throws
   * @throws io.temporal.failure.ApplicationFailure of kind UNAVAILABLE when the object has been
   *     written by somebody else; of kind SUPERSEDED when the run lock is lost
   */
  <R> R write(String verb, Function<Optional<T>, R> call) {
    var now = new AtomicReference<>(seen);
    return UPDATE.retry(
        () ->
            Faults.unlessStale(verb + " " + name, () -> call.apply(now.get()))
                .or(
                    () -> {
                      now.set(again());
                      return Optional.empty();
                    }),
        () ->
            Faults.of(
                FaultKind.UNAVAILABLE, name + " is changing too often to be written; retrying"));
  }

  private Optional<T> again() {
    var now = reader.get();
    fence.run();
    if (seen.isEmpty() || now.isEmpty() || !isUnchanged(seen.get(), now.get())) {
      throw Faults.of(
          FaultKind.UNAVAILABLE,
          "%s was %s after this step read it; the step is repeated"
              .formatted(name, seen.isEmpty() ? "created" : "written or deleted"));
    }
    return now;
  }

  /** Whether only the status has changed. Objects without a generation may always have changed. */
  private static boolean isUnchanged(HasMetadata before, HasMetadata now) {
    var was = before.getMetadata();
    var is = now.getMetadata();
    return was.getUid().equals(is.getUid())
        && was.getGeneration() != null
        && was.getGeneration().equals(is.getGeneration())
        && Objects.equals(was.getDeletionTimestamp(), is.getDeletionTimestamp())
        && Objects.equals(writtenBy(before), writtenBy(now));
  }

  /** How a workload or a Group names the task that writes it. */
  public static String writtenBy(TaskRef task) {
    return "%d/%s%s"
        .formatted(task.change().generation(), task.id(), task.rollback() ? ROLLBACK : "");
  }

  /** Of a workload or a Group, the task that wrote it last, also when it changed nothing else. */
  public static String writtenBy(HasMetadata object) {
    var annotations = object.getMetadata().getAnnotations();
    return (annotations == null ? Map.<String, String>of() : annotations).get(Labels.WRITTEN_BY);
  }
}
