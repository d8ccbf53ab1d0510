package io.middleware.engine.activities.testing;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.middleware.engine.activities.objects.ApiResources;
import io.middleware.engine.activities.objects.PreciseDeletion;
import io.middleware.engine.api.Labels;
import io.middleware.engine.api.task.FaultKind;
import io.middleware.engine.api.task.PlainText;
import io.middleware.engine.cluster.Faults;
import io.middleware.engine.planning.MissingImpersonation;
import io.middleware.engine.planning.app.Refusal;
import io.middleware.engine.process.objects.FieldOwners;
import io.middleware.engine.render.expression.ObjectSource;
import io.middleware.engine.render.guard.SecretData;
import io.middleware.engine.render.sensitive.SensitiveMarks;
import io.middleware.engine.render.sensitive.SensitiveParameters;
import io.middleware.engine.workflows.testing.port.TestReasons;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * Reads, applies and deletes objects with the rights of a test's service account.
 *
 * <p>What the test creates is labelled with the test's uid, so that its end deletes exactly that. A
 * label of somebody else does not count. What was there before gets no label, and what another test
 * has created keeps that one's.
 */
public final class TestObjects {
  static final String MANAGER = "middleware-test";

  private static final String APPLY = "Apply";
  private static final String JOB = "Job";
  private static final String LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";
  private static final String ENGINE_GROUP = "middleware.io/";

  private final KubernetesClient client;
  private final ApiResources apiResources;
  private final Supplier<SensitiveParameters> sensitive;
  private final String namespace;
  private final String uid;
  private final RefusedApply refusals = new RefusedApply(System::nanoTime);

  /**
   * @param client acts as the test's service account
   * @param namespace of the test
   * @param uid of the test
   */
  TestObjects(KubernetesClient client, TestAccounts shared, String namespace, String uid) {
    this.client = client;
    this.apiResources = shared.apiResources();
    this.sensitive = shared.sensitive();
    this.namespace = namespace;
    this.uid = uid;
  }

  /** Why the engine may not act as the service account, and how to allow it; empty when it may. */
  public Optional<String> accountProblem() {
    try {
      client.raw("/version");
      return Optional.empty();
    } catch (KubernetesClientException e) {
      var failure = Faults.of("act as the service account", e);
      if (!failure.isNonRetryable()) {
        throw failure;
      }
      return MissingImpersonation.refusal(namespace, e).map(Refusal::message);
    }
  }

  /** Those whose kind the API server does not know, or that are in no namespace. */
  public List<String> problems(List<Manifest> manifests) {
    return manifests.stream().map(this::problem).flatMap(Optional::stream).toList();
  }

  private Optional<String> problem(Manifest manifest) {
    try {
      apiResources.find(manifest.apiVersion(), manifest.kind());
      return Optional.empty();
    } catch (ApplicationFailure e) {
      if (!FaultKind.INVALID.label().equals(e.getType())) {
        throw e;
      }
      return Optional.of(manifest.place() + ": " + e.getOriginalMessage());
    }
  }

  /** The object as it is now; empty when there is none. */
  public Optional<GenericKubernetesResource> find(String apiVersion, String kind, String name) {
    if (!Manifests.isName(name)) {
      throw Faults.of(
          FaultKind.INVALID, "\"%s\" is not a name of an object".formatted(PlainText.clean(name)));
    }
    return attempt(
        "read %s %s".formatted(kind, name),
        () -> Optional.ofNullable(resources(apiVersion, kind).withName(name).get()));
  }

  /** The object of this manifest as it is now; empty when there is none. */
  public Optional<GenericKubernetesResource> find(Manifest manifest) {
    return find(manifest.apiVersion(), manifest.kind(), manifest.name());
  }

  /** All objects of a kind with these labels. */
  public List<GenericKubernetesResource> list(
      String apiVersion, String kind, Map<String, String> labels) {
    return attempt(
        "list objects of kind " + kind,
        () -> resources(apiVersion, kind).withLabels(labels).list().getItems());
  }

  /**
   * Applies the manifest, and takes over fields of others. May be repeated.
   *
   * @return the object as it is then
   * @throws ApplicationFailure with the type {@link TestReasons#APPLY_REFUSED}, which is final; or
   *     of a kind that may pass by itself, also while an earlier object is still being deleted
   */
  public GenericKubernetesResource apply(Manifest manifest) {
    var before = find(manifest);
    if (before.filter(HasMetadata::isMarkedForDeletion).isPresent()) {
      throw Faults.of(
          FaultKind.CONFLICT, "an earlier %s is still being deleted".formatted(manifest));
    }
    if (before.isPresent()) {
      return applied(manifest, createdBy(before.get()));
    }
    var after = applied(manifest, Optional.of(uid));
    return isOfNobodyElse(after) ? after : applied(manifest, Optional.empty());
  }

  /**
   * The object as a plain tree, which the caller may change; of a Secret without its data, of an
   * App and its parts without the values of sensitive parameters.
   */
  public Map<String, Object> tree(GenericKubernetesResource object) {
    Map<String, Object> tree = new TreeMap<>();
    Map<?, ?> plain = client.getKubernetesSerialization().convertValue(object, Map.class);
    if (object.getApiVersion().startsWith(ENGINE_GROUP)) {
      plain = SensitiveMarks.hidden(plain, sensitive.get());
    }
    plain.forEach((key, value) -> tree.put(String.valueOf(key), value));
    if (ObjectSource.SECRET.equals(object.getKind())) {
      tree.keySet().removeAll(List.of("data", "stringData"));
    }
    if (tree.get("metadata") instanceof Map<?, ?> metadata) {
      tree.put("metadata", withoutLastApplied(metadata));
    }
    return tree;
  }

  /** It has all data and values once more. */
  private static Map<String, Object> withoutLastApplied(Map<?, ?> metadata) {
    var shown = new TreeMap<String, Object>();
    metadata.forEach((key, value) -> shown.put(String.valueOf(key), value));
    if (shown.get("annotations") instanceof Map<?, ?> annotations) {
      var others = new TreeMap<Object, Object>(annotations);
      others.remove(LAST_APPLIED);
      shown.put("annotations", others);
    }
    return shown;
  }

  /** Whether this test has created it. */
  public boolean hasCreated(HasMetadata object) {
    return createdBy(object).filter(uid::equals).isPresent();
  }

  /**
   * The uid of the test that has created it. The label alone does not tell: anybody may set one,
   * but only as another field manager.
   */
  private static Optional<String> createdBy(HasMetadata object) {
    return Optional.ofNullable(object.getMetadata().getLabels())
        .map(labels -> labels.get(Labels.TEST_CREATED_BY))
        .filter(
            label ->
                FieldOwners.of(object, "metadata", "labels", Labels.TEST_CREATED_BY)
                    .anyMatch(TestObjects::isApplied));
  }

  /** Somebody else may have created it since it was looked for. */
  private static boolean isOfNobodyElse(HasMetadata object) {
    return Objects.requireNonNullElse(
            object.getMetadata().getManagedFields(), List.<ManagedFieldsEntry>of())
        .stream()
        .allMatch(TestObjects::isApplied);
  }

  private static boolean isApplied(ManagedFieldsEntry entry) {
    return MANAGER.equals(entry.getManager()) && APPLY.equals(entry.getOperation());
  }

  private GenericKubernetesResource applied(Manifest manifest, Optional<String> creator) {
    var object =
        client
            .getKubernetesSerialization()
            .convertValue(SecretData.folded(manifest.tree()), GenericKubernetesResource.class);
    creator.ifPresent(it -> label(object, it));
    var context =
        new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager(MANAGER)
            .withForce(true)
            .withFieldValidation("Strict")
            .build();
    try {
      var applied =
          resources(manifest.apiVersion(), manifest.kind())
              .withName(manifest.name())
              .patch(context, object);
      refusals.forget(manifest);
      return applied;
    } catch (KubernetesClientException e) {
      throw refusals.failure(manifest, e, explained("apply " + manifest, e));
    }
  }

  private static void label(HasMetadata object, String creator) {
    var labels = new TreeMap<String, String>();
    Optional.ofNullable(object.getMetadata().getLabels()).ifPresent(labels::putAll);
    labels.put(Labels.TEST_CREATED_BY, creator);
    object.getMetadata().setLabels(labels);
  }

  /**
   * Begins the deletion of exactly this object; one that is gone is fine. A Job stays until its
   * pods are gone, so that no load goes on unseen.
   */
  public void delete(HasMetadata object) {
    attempt(
        "delete %s %s".formatted(object.getKind(), object.getMetadata().getName()),
        () -> {
          var propagation = JOB.equals(object.getKind()) ? "Foreground" : "Background";
          PreciseDeletion.delete(client, apiResources, object, propagation, false);
          return object;
        });
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      resources(String apiVersion, String kind) {
    return client
        .genericKubernetesResources(apiResources.find(apiVersion, kind))
        .inNamespace(namespace);
  }

  private <T> T attempt(String attempted, Supplier<T> call) {
    try {
      return call.get();
    } catch (KubernetesClientException e) {
      throw explained(attempted, e);
    }
  }

  /** A team that has not allowed the engine to act as its account learns how to. */
  private ApplicationFailure explained(String attempted, KubernetesClientException e) {
    var failure = Faults.of(attempted, e);
    return failure.isNonRetryable()
        ? MissingImpersonation.refusal(namespace, e)
            .map(Refusal::message)
            .map(why -> Faults.of(FaultKind.FORBIDDEN, why))
            .orElse(failure)
        : failure;
  }
}
