package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.render.expression.UnreadableObjectException;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The objects of one look: each is read at most once. An object of one look is as it was when it
 * was read first. Thread-safe.
 */
public final class LiveObjects implements ObjectSource {
  private static final String ENGINE = "middleware.io/v1";

  /** API versions of kinds that a test may read without a manifest of them. */
  private static final Map<String, String> KNOWN =
      Map.ofEntries(
          Map.entry("App", ENGINE),
          Map.entry("Component", ENGINE),
          Map.entry("Group", ENGINE),
          Map.entry("Operation", ENGINE),
          Map.entry("Backup", ENGINE),
          Map.entry("Pod", "v1"),
          Map.entry("Service", "v1"),
          Map.entry("ConfigMap", "v1"),
          Map.entry("PersistentVolumeClaim", "v1"),
          Map.entry("StatefulSet", "apps/v1"),
          Map.entry("Deployment", "apps/v1"),
          Map.entry("Job", "batch/v1"),
          Map.entry("CronJob", "batch/v1"));

  private final TestObjects objects;
  private final List<Manifest> manifests;
  private final Map<String, Optional<GenericKubernetesResource>> read = new ConcurrentHashMap<>();

  /**
   * @param manifests of the test: they tell API versions of kinds
   */
  public LiveObjects(TestObjects objects, List<Manifest> manifests) {
    this.objects = objects;
    this.manifests = List.copyOf(manifests);
  }

  @Override
  public Map<String, Object> object(Optional<String> apiVersion, String kind, String name) {
    var version = apiVersion.or(() -> apiVersion(kind, name));
    if (version.isEmpty()) {
      throw new UnreadableObjectException(
          "no manifest of the test has kind %s: use object(apiVersion, kind, name)"
              .formatted(kind));
    }
    try {
      return find(version.get(), kind, name)
          .map(objects::tree)
          .orElseThrow(
              () -> new UnreadableObjectException("%s %s does not exist".formatted(kind, name)));
    } catch (ApplicationFailure e) {
      // a kind that the API server does not know yet is not a failure of the read
      throw FaultKind.INVALID.label().equals(e.getType())
          ? new UnreadableObjectException(e.getOriginalMessage())
          : new UnreadableObjectException(e);
    }
  }

  /**
   * Those of these objects that exist, in their order. Secrets have no data.
   *
   * @throws ApplicationFailure when one cannot be read
   */
  public List<Map<String, Object>> existing(List<Manifest> wanted) {
    return wanted.stream()
        .map(it -> find(it.apiVersion(), it.kind(), it.name()))
        .flatMap(Optional::stream)
        .map(objects::tree)
        .toList();
  }

  private Optional<GenericKubernetesResource> find(String apiVersion, String kind, String name) {
    return read.computeIfAbsent(
        "%s %s %s".formatted(apiVersion, kind, name), key -> objects.find(apiVersion, kind, name));
  }

  private Optional<String> apiVersion(String kind, String name) {
    return Stream.concat(
            manifests.stream().filter(it -> it.kind().equals(kind) && it.name().equals(name)),
            manifests.stream().filter(it -> it.kind().equals(kind)))
        .map(Manifest::apiVersion)
        .findFirst()
        .or(() -> Optional.ofNullable(KNOWN.get(kind)));
  }
}
