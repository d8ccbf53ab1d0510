package io.middleware.engine.cluster;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpecBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import java.util.List;
import java.util.stream.Stream;

/**
 * Drops what no caller of the view reads, and what takes most of the memory: every worker holds the
 * objects of all Apps.
 */
final class LeanObjects {
  /** Shared: says that a template has such a container. */
  private static final Container LAST_LINES = new Container();

  private LeanObjects() {}

  static void reduce(HasMetadata object) {
    object.getMetadata().setManagedFields(null);
    switch (object) {
      case Pod pod -> {
        pod.getMetadata().setAnnotations(null);
        pod.setSpec(pod.getSpec() == null ? null : reduced(pod.getSpec()));
      }
      case StatefulSet set when set.getSpec() != null ->
          set.getSpec().setTemplate(reduced(set.getSpec().getTemplate()));
      case Deployment deployment when deployment.getSpec() != null ->
          deployment.getSpec().setTemplate(null);
      case Job job when job.getSpec() != null -> job.getSpec().setTemplate(null);
      default -> {}
    }
  }

  /** Only what a rollback must know ({@link PodDefaults}). */
  private static PodTemplateSpec reduced(PodTemplateSpec template) {
    return template == null || template.getSpec() == null
        ? null
        : new PodTemplateSpecBuilder()
            .withNewSpec()
            .withEnableServiceLinks(template.getSpec().getEnableServiceLinks())
            .withContainers(
                Stream.of(
                        template.getSpec().getInitContainers(), template.getSpec().getContainers())
                    .flatMap(List::stream)
                    .filter(PodDefaults::hasLastLines)
                    .limit(1)
                    .map(it -> LAST_LINES)
                    .toList())
            .endSpec()
            .build();
  }

  /** Where the pod runs, and its volume claims. */
  private static PodSpec reduced(PodSpec spec) {
    return new PodSpecBuilder()
        .withNodeName(spec.getNodeName())
        .withVolumes(
            spec.getVolumes().stream()
                .filter(volume -> volume.getPersistentVolumeClaim() != null)
                .toList())
        .build();
  }
}
