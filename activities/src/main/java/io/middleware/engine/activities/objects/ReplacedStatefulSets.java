package io.middleware.engine.activities.objects;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.middleware.engine.api.App;
import io.middleware.engine.api.Group;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.cluster.ImpersonatedClients;
import io.middleware.engine.cluster.VolumeClaimTemplates;
import io.middleware.engine.render.guard.RenderedObject;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps a StatefulSet that is deleted to be made again on its Group, until the new one has all that
 * others own in it: the replicas of an autoscaler, an annotation of a GitOps tool, a variable that
 * a person has set. A template does not know these.
 */
public final class ReplacedStatefulSets {
  private static final ResourceDefinitionContext STATEFUL_SETS =
      new ResourceDefinitionContext.Builder()
          .withGroup("apps")
          .withVersion("v1")
          .withKind("StatefulSet")
          .withPlural("statefulsets")
          .withNamespaced(true)
          .build();

  private final EngineObjects engine;
  private final ImpersonatedClients writers;

  /**
   * @param engine writes the Group
   * @param writers write the StatefulSet, with the rights of the App's service account
   */
  public ReplacedStatefulSets(EngineObjects engine, ImpersonatedClients writers) {
    this.engine = engine;
    this.writers = writers;
  }

  /**
   * The StatefulSet of this name that the Group keeps.
   *
   * @throws io.temporal.failure.ApplicationFailure of kind INVALID when it cannot be read
   */
  Optional<GenericKubernetesResource> of(Group group, String name) {
    var annotations = group.getMetadata().getAnnotations();
    return Optional.ofNullable(annotations)
        .map(all -> all.get(Labels.REPLACED_STATEFUL_SET))
        .map(text -> read(group, text))
        .filter(set -> name.equals(set.getMetadata().getName()));
  }

  private static GenericKubernetesResource read(Group group, String text) {
    try {
      return Serialization.unmarshal(text, GenericKubernetesResource.class);
    } catch (KubernetesClientException | IllegalArgumentException e) {
      throw Faults.of(
          FaultKind.INVALID,
          "annotation %s of Group %s cannot be read: remove it"
              .formatted(Labels.REPLACED_STATEFUL_SET, group.getMetadata().getName()));
    }
  }

  /** Before the StatefulSet is deleted. */
  void keep(Group group, GenericKubernetesResource set) {
    var copy = Serialization.clone(set);
    copy.getAdditionalProperties().remove("status");
    var metadata = copy.getMetadata();
    metadata.setManagedFields(
        metadata.getManagedFields().stream()
            .filter(entry -> !"status".equals(entry.getSubresource()))
            .toList());
    engine.annotate(group, Labels.REPLACED_STATEFUL_SET, Serialization.asJson(copy));
  }

  /** Once the new one is as the old one was. */
  void forget(Group group) {
    engine.annotate(group, Labels.REPLACED_STATEFUL_SET, null);
  }

  /**
   * Creates it again with the claim templates that are desired now. Without its finalizers: who had
   * set one has removed it, or the old one would still be there.
   */
  GenericKubernetesResource create(
      App app, GenericKubernetesResource kept, RenderedObject desired) {
    var copy = Serialization.clone(kept);
    var metadata = kept.getMetadata();
    copy.setMetadata(
        new ObjectMetaBuilder()
            .withName(metadata.getName())
            .withNamespace(metadata.getNamespace())
            .withLabels(metadata.getLabels())
            .withAnnotations(metadata.getAnnotations())
            .withOwnerReferences(metadata.getOwnerReferences())
            .build());
    VolumeClaimTemplates.replace(copy, desired.tree());
    var created =
        Faults.attempt(
            "create %s again".formatted(name(kept)), () -> writers.of(app).resource(copy).create());
    return withOwners(app, kept, created);
  }

  /** Gives each field back to those who owned it, so that the engine does not own them all. */
  GenericKubernetesResource withOwners(
      App app, GenericKubernetesResource kept, GenericKubernetesResource now) {
    if (Objects.equals(kept.getMetadata().getUid(), now.getMetadata().getUid())) {
      return now;
    }
    var owners =
        Map.of(
            "uid", now.getMetadata().getUid(),
            "resourceVersion", now.getMetadata().getResourceVersion(),
            "managedFields", kept.getMetadata().getManagedFields());
    return Faults.attempt(
        "give the fields of %s back to their owners".formatted(name(kept)),
        () ->
            set(app, kept)
                .patch(
                    new PatchContext.Builder()
                        .withPatchType(PatchType.JSON_MERGE)
                        .withFieldManager(EngineObjects.MANAGER)
                        .build(),
                    Serialization.asJson(Map.of("metadata", owners))));
  }

  private Resource<GenericKubernetesResource> set(App app, GenericKubernetesResource kept) {
    return writers
        .of(app)
        .genericKubernetesResources(STATEFUL_SETS)
        .inNamespace(kept.getMetadata().getNamespace())
        .withName(kept.getMetadata().getName());
  }

  private static String name(GenericKubernetesResource set) {
    return "StatefulSet %s/%s"
        .formatted(set.getMetadata().getNamespace(), set.getMetadata().getName());
  }
}
