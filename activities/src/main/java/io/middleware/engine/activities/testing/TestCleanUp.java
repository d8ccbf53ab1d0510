package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes what a test has created, the last manifest first, and waits for each until it is gone:
 * what it needs for its end, such as its account, was applied before it. Touches nothing else.
 *
 * <p>When the time is over, it still asks for deletions until the first object that is not gone.
 */
public final class TestCleanUp {
  private final TestObjects objects;
  private final TestWait wait;

  /**
   * @param wait whose time is that of the whole clean-up
   */
  public TestCleanUp(TestObjects objects, TestWait wait) {
    this.objects = objects;
    this.wait = wait;
  }

  /**
   * Cleans up. May be repeated.
   *
   * @param manifests all of the test, in their order
   * @return what is left, for people; empty when nothing is
   */
  public List<String> run(List<Manifest> manifests) {
    var left = new ArrayList<String>();
    for (var manifest : lastFirst(manifests)) {
      if (wait.isOver() && !left.isEmpty()) {
        found(manifest).ifPresent(left::add);
      } else {
        delete(manifest).ifPresent(left::add);
      }
    }
    return left;
  }

  private static List<Manifest> lastFirst(List<Manifest> manifests) {
    var order = new ArrayList<Manifest>();
    for (var manifest : manifests.reversed()) {
      if (order.stream().noneMatch(manifest::isOfSameObject)) {
        order.add(manifest);
      }
    }
    return order;
  }

  /** What may not be deleted does not hold up the others. */
  private Optional<String> delete(Manifest manifest) {
    try {
      return wait.until(() -> deletedOnce(manifest));
    } catch (ApplicationFailure e) {
      return Optional.of("%s: %s".formatted(manifest, e.getOriginalMessage()));
    }
  }

  private Optional<String> deletedOnce(Manifest manifest) {
    var found = ours(manifest);
    found.filter(object -> !object.isMarkedForDeletion()).ifPresent(objects::delete);
    return found.map(object -> "%s is being deleted%s".formatted(manifest, finalizers(object)));
  }

  private Optional<String> found(Manifest manifest) {
    try {
      return ours(manifest).map(object -> manifest.toString());
    } catch (ApplicationFailure e) {
      return Optional.of("%s: %s".formatted(manifest, e.getOriginalMessage()));
    }
  }

  private Optional<GenericKubernetesResource> ours(Manifest manifest) {
    return objects.find(manifest).filter(objects::hasCreated);
  }

  private static String finalizers(GenericKubernetesResource object) {
    var finalizers = object.getMetadata().getFinalizers();
    return finalizers == null || finalizers.isEmpty()
        ? ""
        : ", held by finalizer " + String.join(", ", finalizers);
  }
}
